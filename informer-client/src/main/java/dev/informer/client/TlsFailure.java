/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import dev.informer.support.FailureText;
import org.jspecify.annotations.Nullable;

/**
 * Cause of a request that fails because of TLS.
 *
 * @param remedy the remedy as a sentence
 */
record TlsFailure(String reason, String remedy) {

	private static final String HANDSHAKE = "TLS handshake failed, ";

	/** Message of OkHttp, whose lines have the fingerprint, the subject and the names. */
	private static final Pattern HOST = Pattern
		.compile("Hostname (\\S+) not verified(?s:.*subjectAltNames: (\\[.*?]))?");

	/** The message differs between versions of the JDK. */
	private static final Pattern ALERT = Pattern.compile("(?:\\(\\w+\\) )?Received fatal alert: (\\w+)");

	private static final String NO_TLS = "Unsupported or unrecognized SSL message";

	/** The first bytes of a TLS alert, where HTTP/1.1 has the status line. */
	private static final String TLS_ALERT = "\u0015\u0003";

	private static final String CHECK_CERTIFICATE = "Check the client certificate of the connection: its CA, its expiry "
			+ "and its key.";

	/**
	 * Find the cause of a failure, also in what it suppressed: the failure of another
	 * attempt or address, or of reading the response to a request that could not be sent.
	 * @return the cause; {@code null} if TLS is not the cause
	 */
	static @Nullable TlsFailure of(Throwable failure) {
		return (failure instanceof InterruptedIOException) ? null
				: search(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
	}

	private static @Nullable TlsFailure search(Throwable failure, Set<Throwable> searched) {
		TlsFailure found = ofOne(failure);
		searched.add(failure);
		for (Throwable suppressed : failure.getSuppressed()) {
			if (found == null && !searched.contains(suppressed)) {
				found = search(suppressed, searched);
			}
		}
		return found;
	}

	private static @Nullable TlsFailure ofOne(Throwable failure) {
		if (failure instanceof ServerStatusException refusal) {
			return isPlainRequest(refusal.status()) ? plainRequest() : null;
		}
		String message = String.valueOf(FailureText.message(failure));
		if (failure instanceof ProtocolException && message.contains(TLS_ALERT)) {
			return plainRequest();
		}
		if (!(failure instanceof SSLException)) {
			return null;
		}
		if (failure instanceof ClosedAfterHandshakeException closed) {
			return closed(closed);
		}
		if (failure instanceof SSLPeerUnverifiedException) {
			return unverifiedHost(message);
		}
		if (message.contains(NO_TLS)) {
			return new TlsFailure("no TLS, the server at this port answers without it",
					"Use http in the URL of the connection, or the port with TLS.");
		}
		Matcher alert = ALERT.matcher(message);
		if (alert.lookingAt()) {
			return ofAlert(alert.group(1));
		}
		return isHandshake(failure) ? handshake(failure) : null;
	}

	private static TlsFailure closed(ClosedAfterHandshakeException failure) {
		String closed = "connection closed after the TLS handshake (" + FailureReason.rootMessage(failure) + "), ";
		return failure.isWithCertificate()
				? new TlsFailure(closed + "in which the server received the client certificate", CHECK_CERTIFICATE)
				: new TlsFailure(closed + "in which the server requested a client certificate and received none",
						"Configure a client certificate for the connection if the server requires one.");
	}

	/**
	 * Return whether the server asks for TLS. Servers in Go and nginx answer with a 400.
	 */
	private static boolean isPlainRequest(ServerStatus status) {
		String message = status.message().toLowerCase(Locale.ROOT);
		return status.code() == 400 && message.contains("http request") && message.contains("https");
	}

	private static TlsFailure plainRequest() {
		return new TlsFailure("TLS required, the server at this port does not answer without it",
				"Use https in the URL of the connection.");
	}

	private static TlsFailure unverifiedHost(String message) {
		Matcher matcher = HOST.matcher(message);
		if (!matcher.find()) {
			return new TlsFailure(
					HANDSHAKE + "the host name is not verified, " + message.lines().findFirst().orElse(""),
					"Check the host name in the URL of the connection.");
		}
		String names = matcher.group(2);
		return new TlsFailure(HANDSHAKE + "the certificate of the server is for "
				+ ((names != null && !names.equals("[]")) ? names : "no host") + ", not for host " + matcher.group(1),
				"Use a host name of the certificate in the URL of the connection, or set its tls-server-name.");
	}

	/**
	 * Return whether one side rejects the certificate of the other. A connection that
	 * breaks during the handshake has another exception as its cause.
	 */
	private static boolean isHandshake(Throwable failure) {
		if (!(failure instanceof SSLHandshakeException)) {
			return false;
		}
		return FailureText.withCauses(failure)
			.stream()
			.filter((cause) -> !(cause instanceof SSLException))
			.findFirst()
			.filter(IOException.class::isInstance)
			.isEmpty();
	}

	private static TlsFailure handshake(Throwable failure) {
		String message = String.valueOf(FailureText.message(failure));
		for (Throwable cause : FailureText.withCauses(failure)) {
			if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
				return new TlsFailure(
						HANDSHAKE + "the certificate of the server or of its CA is not valid now, "
								+ FailureText.message(cause),
						"Renew the certificate, and check the clock of this machine.");
			}
			if (cause instanceof CertPathBuilderException) {
				return unknownAuthority("unknown CA: no trusted CA issued the certificate of the server");
			}
			message = (cause instanceof CertificateException) ? String.valueOf(FailureText.message(cause)) : message;
		}
		return message.startsWith("unknown CA") ? unknownAuthority(message) : new TlsFailure(HANDSHAKE + message,
				"Check the CA certificate, the client certificate and the host name of the connection.");
	}

	private static TlsFailure unknownAuthority(String reason) {
		return new TlsFailure(HANDSHAKE + reason, "Add the CA of the server to the CA certificates of the connection.");
	}

	/**
	 * Return the cause for an alert, which the server sends. Those about certificates
	 * concern that of the client. Servers send {@code bad_certificate} also when there is
	 * none, or {@code handshake_failure}. A client has none for a server that names only
	 * other CAs.
	 * @see <a href="https://datatracker.ietf.org/doc/html/rfc8446#section-6.2">RFC
	 * 8446</a>
	 */
	private static TlsFailure ofAlert(String alert) {
		return switch (alert) {
			case "certificate_required" -> new TlsFailure(HANDSHAKE + "client certificate required (" + alert + ")",
					"Configure a client certificate for the connection. Check the client certificate if there is one: "
							+ "it is sent only if the server names its CA.");
			case "bad_certificate" ->
				new TlsFailure(HANDSHAKE + "client certificate required, or rejected by the server (" + alert + ")",
						CHECK_CERTIFICATE);
			case "handshake_failure" -> new TlsFailure(
					HANDSHAKE + "client certificate required, or no version or cipher of TLS in common (" + alert + ")",
					CHECK_CERTIFICATE + " Check the versions of TLS and the ciphers.");
			case "unknown_ca", "certificate_expired", "certificate_revoked", "certificate_unknown",
					"unsupported_certificate", "access_denied", "decrypt_error" ->
				new TlsFailure(HANDSHAKE + "client certificate rejected, the server does not accept it (" + alert + ")",
						CHECK_CERTIFICATE);
			default -> new TlsFailure(HANDSHAKE + "rejected by the server (" + alert + ")",
					"Check the versions of TLS, the ciphers, the host name and the client certificate of the "
							+ "connection.");
		};
	}

}
