/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.ProtocolException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import org.jspecify.annotations.Nullable;

/**
 * Cause of a request that fails because of TLS.
 *
 * @param reason the reason
 * @param remedy the remedy as a sentence
 */
record TlsFailure(String reason, String remedy) {

	private static final String HANDSHAKE = "TLS handshake failed, ";

	/** Message of OkHttp, whose lines have the fingerprint, the subject and the names. */
	private static final Pattern HOST = Pattern
		.compile("Hostname (\\S+) not verified(?s:.*subjectAltNames: (\\[.*?]))?");

	/** The message differs between versions of the JDK. */
	private static final Pattern ALERT = Pattern.compile("fatal alert: (\\w+)");

	private static final String NO_TLS = "Unsupported or unrecognized SSL message";

	/** The first bytes of a TLS alert, where HTTP/1.1 has the status line. */
	private static final String TLS_ALERT = "\u0015\u0003";

	/**
	 * Find the cause of a failure.
	 * @param failure the failure of a request
	 * @return the cause; {@code null} if TLS is not the cause
	 */
	static @Nullable TlsFailure of(Throwable failure) {
		if (failure instanceof ServerStatusException refusal) {
			return isPlainRequest(refusal.status()) ? plainRequest() : null;
		}
		if (failure instanceof ProtocolException && String.valueOf(failure.getMessage()).contains(TLS_ALERT)) {
			return plainRequest();
		}
		if (failure instanceof SSLPeerUnverifiedException) {
			return unverifiedHost(String.valueOf(failure.getMessage()));
		}
		if (failure instanceof SSLException && String.valueOf(failure.getMessage()).contains(NO_TLS)) {
			return new TlsFailure("no TLS, the server at this port answers without it",
					"Use http in the URL of the connection, or the port with TLS.");
		}
		return isHandshake(failure) ? handshake(failure) : null;
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
		Throwable root = failure.getCause();
		while (root instanceof SSLException) {
			root = root.getCause();
		}
		return !(root instanceof IOException);
	}

	private static TlsFailure handshake(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
				return new TlsFailure(HANDSHAKE + "the certificate of the server or of its CA is not valid now, "
						+ cause.getMessage(), "Renew the certificate, and check the clock of this machine.");
			}
			if (cause instanceof CertPathBuilderException) {
				return unknownAuthority("unknown CA: no trusted CA issued the certificate of the server");
			}
			message = (cause instanceof CertificateException) ? String.valueOf(cause.getMessage()) : message;
		}
		Matcher alert = ALERT.matcher(message);
		if (alert.find()) {
			return ofAlert(alert.group(1));
		}
		return message.startsWith("unknown CA") ? unknownAuthority(message) : new TlsFailure(HANDSHAKE + message,
				"Check the CA certificate, the client certificate and the host name of the connection.");
	}

	private static TlsFailure unknownAuthority(String reason) {
		return new TlsFailure(HANDSHAKE + reason, "Add the CA of the server to the CA certificates of the connection.");
	}

	/**
	 * Return the cause for an alert, which the server sends without a reason. Servers
	 * with TLS 1.2 send {@code bad_certificate} also when there is none.
	 */
	private static TlsFailure ofAlert(String alert) {
		return switch (alert) {
			case "certificate_required" -> new TlsFailure(HANDSHAKE + "client certificate required (" + alert + ")",
					"Configure a client certificate for the connection.");
			case "bad_certificate", "unknown_ca", "certificate_unknown", "certificate_expired", "certificate_revoked",
					"unsupported_certificate", "access_denied" ->
				new TlsFailure(HANDSHAKE + "client certificate required, or rejected by the server (" + alert + ")",
						"Check the client certificate of the connection: its CA, its expiry and its key.");
			default -> new TlsFailure(HANDSHAKE + "rejected by the server (" + alert + ")",
					"Check the versions of TLS, the ciphers and the host name of the connection.");
		};
	}

}
