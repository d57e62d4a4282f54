/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import dev.informer.CredentialsException;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureClassification}.
 */
class FailureClassificationTests {

	@ParameterizedTest
	@MethodSource
	void rejectedCertificate_hasRemedy(Exception failure) {
		assertThat(classify(failure).toLog("listing again")).contains("TLS handshake failed")
			.endsWith("Check the CA certificate, the client certificate and the host name of the connection.");
	}

	static Stream<Exception> rejectedCertificate_hasRemedy() {
		return Stream
			.of(new SSLHandshakeException("PKIX path building failed")
				.initCause(new CertificateException("unknown CA")),
					new SSLHandshakeException("Received fatal alert: bad_certificate"),
					new SSLPeerUnverifiedException("Hostname cluster.example not verified"))
			.map(Exception.class::cast);
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
					new SocketTimeoutException("no connection within 15 s"))
			.map(Exception.class::cast);
	}

	private static FailureClassification classify(Exception failure) {
		return FailureClassification.of(failure, "list", TestSettings.of(InformerOptions.DEFAULT));
	}

}
