/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.client.CredentialsException;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureClassification}.
 */
class FailureClassificationTests {

	private static final String CHECK_CLIENT_CERTIFICATE = "Check the client certificate of the connection: its CA, its "
			+ "expiry and its key.";

	@ParameterizedTest
	@MethodSource
	void tlsFailure_namesItsCause(Exception failure, String reason, String remedy) {
		FailureClassification classification = classify(failure);
		assertThat(classification.kind()).isEqualTo(Kind.UNREACHABLE);
		assertThat(classification.toLog("listing again")).contains("(" + reason)
			.doesNotContain("\n")
			.endsWith("; listing again. " + remedy);
	}

	static Stream<Arguments> tlsFailure_namesItsCause() {
		return Stream.of(
				Arguments.of(
						new SSLHandshakeException("x")
							.initCause(new CertificateException("unknown CA: issued by 'CN=a', trusted is 'CN=b'")),
						"TLS handshake failed, unknown CA: issued by 'CN=a', trusted is 'CN=b'",
						"Add the CA of the server to the CA certificates of the connection."),
				Arguments.of(
						new SSLHandshakeException("PKIX path building failed").initCause(
								new CertificateException("PKIX", new CertPathBuilderException("unable to find"))),
						"TLS handshake failed, unknown CA: no trusted CA issued the certificate of the server",
						"Add the CA of the server to the CA certificates of the connection."),
				Arguments.of(
						new SSLHandshakeException("x").initCause(new CertificateException("PKIX",
								new CertificateExpiredException("NotAfter: yesterday"))),
						"TLS handshake failed, the certificate of the server or of its CA is not valid now, NotAfter",
						"Renew the certificate, and check the clock of this machine."),
				Arguments.of(
						new SSLPeerUnverifiedException("Hostname 10.0.0.1 not verified:\n    certificate: sha256/x\n"
								+ "    DN: CN=a\n    subjectAltNames: [one.example, 10.0.0.2]"),
						"TLS handshake failed, the certificate of the server is for [one.example, 10.0.0.2], "
								+ "not for host 10.0.0.1",
						"Use a host name of the certificate in the URL of the connection, or set its tls-server-name."),
				Arguments.of(new SSLHandshakeException("Received fatal alert: certificate_required"),
						"TLS handshake failed, client certificate required (certificate_required)",
						"Configure a client certificate for the connection. Check the client certificate if there is "
								+ "one: it is sent only if the server names its CA."),
				Arguments.of(new SSLHandshakeException("(bad_certificate) Received fatal alert: bad_certificate"),
						"TLS handshake failed, client certificate required, or rejected by the server (bad_certificate)",
						CHECK_CLIENT_CERTIFICATE),
				Arguments.of(new SSLHandshakeException("Received fatal alert: protocol_version"),
						"TLS handshake failed, rejected by the server (protocol_version)",
						"Check the versions of TLS, the ciphers, the host name and the client certificate of the "
								+ "connection."),
				Arguments.of(new SSLHandshakeException("(unknown_ca) Received fatal alert: unknown_ca"),
						"TLS handshake failed, client certificate rejected, the server does not accept it (unknown_ca)",
						CHECK_CLIENT_CERTIFICATE),
				Arguments.of(new SSLHandshakeException("Received fatal alert: certificate_expired"),
						"TLS handshake failed, client certificate rejected, the server does not accept it (certificate_expired)",
						CHECK_CLIENT_CERTIFICATE),
				Arguments.of(new SSLHandshakeException("Received fatal alert: certificate_revoked"),
						"TLS handshake failed, client certificate rejected, the server does not accept it (certificate_revoked)",
						CHECK_CLIENT_CERTIFICATE),
				Arguments.of(new SSLHandshakeException("Received fatal alert: certificate_unknown"),
						"TLS handshake failed, client certificate rejected, the server does not accept it",
						CHECK_CLIENT_CERTIFICATE),
				Arguments.of(new SSLException("(internal_error) Received fatal alert: internal_error"),
						"TLS handshake failed, rejected by the server (internal_error)",
						"Check the versions of TLS, the ciphers, the host name and the client certificate of the "
								+ "connection."),
				Arguments.of(
						suppressing(new SocketException("Broken pipe"),
								new SSLHandshakeException("Received fatal alert: certificate_required")),
						"TLS handshake failed, client certificate required (certificate_required)",
						"Configure a client certificate for the connection. Check the client certificate if there is "
								+ "one: it is sent only if the server names its CA."),
				Arguments.of(
						suppressing(new ConnectException("Failed to connect to /10.0.0.1"),
								suppressing(new ConnectException("Failed to connect to /10.0.0.2"),
										new SSLHandshakeException("x")
											.initCause(new CertificateException("unknown CA: a")))),
						"TLS handshake failed, unknown CA: a",
						"Add the CA of the server to the CA certificates of the connection."),
				Arguments.of(new SSLException("Unsupported or unrecognized SSL message"), "no TLS, the server",
						"Use http in the URL of the connection, or the port with TLS."),
				Arguments.of(new ProtocolException("Unexpected status line: \u0015\u0003\u0003"), "TLS required, ",
						"Use https in the URL of the connection."),
				Arguments.of(status(400, "Client sent an HTTP request to an HTTPS server."), "TLS required, ",
						"Use https in the URL of the connection."));
	}

	private static IOException suppressing(IOException failure, Throwable suppressed) {
		failure.addSuppressed(suppressed);
		return failure;
	}

	@ParameterizedTest
	@MethodSource
	void failureOfProxy_namesIt(Exception failure, String reason) {
		FailureClassification classification = classify(failure);
		assertThat(classification.kind()).isEqualTo(Kind.UNREACHABLE);
		assertThat(classification.isUnreachable()).isTrue();
		assertThat(classification.toLog("listing again")).contains("(" + reason + "); listing again. Check ");
	}

	static Stream<Arguments> failureOfProxy_namesIt() {
		String required = "user and password required by the proxy, or rejected (407)";
		return Stream.of(Arguments.of(new IOException("Failed to authenticate with proxy"), required),
				Arguments.of(status(407, ""), required),
				Arguments.of(new IOException("Unexpected response code for CONNECT: 403"),
						"connection refused by the proxy (403)"));
	}

	@Test
	void missingBuiltInResource_asksForTheUrl() {
		assertThat(classify(status(404, "404 page not found")).toLog("listing again"))
			.contains("is the URL of the connection that of an API server?")
			.doesNotContain("CustomResourceDefinition");
	}

	private static ServerStatusException status(int code, String message) {
		return new ServerStatusException(new ServerStatus(code, "", message, List.of(), null));
	}

	@Test
	void missingCredentials_areUnauthorized() {
		FailureClassification classification = classify(new CredentialsException("plugin failed with exit code 1"));
		assertThat(classification.kind()).isEqualTo(Kind.UNAUTHORIZED);
		assertThat(classification.toLog("retrying"))
			.endsWith("(no credentials, plugin failed with exit code 1); retrying");
	}

	@ParameterizedTest
	@MethodSource
	void brokenConnection_isUnreachable(Exception failure) {
		assertThat(classify(failure).toLog("listing again")).contains("API server unreachable, ")
			.endsWith("listing again");
	}

	static Stream<Exception> brokenConnection_isUnreachable() {
		return Stream
			.of(new SSLHandshakeException("Remote host terminated the handshake").initCause(new EOFException("eof")),
					new SSLException("Connection reset", new SocketException("Connection reset")),
					new SSLException("closing inbound before receiving peer's close_notify"),
					suppressing(new SocketTimeoutException("no connection within 15 s"),
							new SSLHandshakeException("Received fatal alert: certificate_required")))
			.map(Exception.class::cast);
	}

	@Test
	void earlyEnd_isNamedWithoutWhatWasReceived() {
		assertThat(classify(new IOException("unexpected end of stream on https://10.0.0.1",
				new EOFException("\\n not found: limit=3 content=616263\u2026")))
			.toLog("listing again"))
			.contains("(API server unreachable, the connection ended before a complete response)");
	}

	private static FailureClassification classify(Exception failure) {
		return FailureClassification.of(failure, "list", TestSettings.of(InformerOptions.DEFAULT));
	}

}
