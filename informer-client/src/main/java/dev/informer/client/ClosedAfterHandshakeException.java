/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import dev.informer.support.FailureText;
import okhttp3.Connection;
import okhttp3.Handshake;
import okhttp3.TlsVersion;

/**
 * Thrown when a server closes a connection without any answer, after a handshake in which
 * it requested a client certificate. With TLS 1.3 the client has finished the handshake
 * before the server has checked the certificate, and a reset can discard the alert that
 * names the reason.
 *
 * @see <a href="https://datatracker.ietf.org/doc/html/rfc8446#section-2">RFC 8446</a>
 */
final class ClosedAfterHandshakeException extends SSLException {

	/**
	 * Message of OkHttp about HTTP/2. The code CANCEL is also that of a connection which
	 * ends without an answer.
	 */
	private static final String STREAM_RESET = "stream was reset: ";

	private final boolean withCertificate;

	ClosedAfterHandshakeException(boolean withCertificate, IOException cause) {
		super("Connection closed after the TLS handshake", cause);
		this.withCertificate = withCertificate;
	}

	/**
	 * Return whether the server checks a client certificate after the handshake of a
	 * connection, or misses one.
	 */
	static boolean isPossible(Connection connection) {
		Handshake handshake = connection.handshake();
		// the algorithms for which a client may have a certificate, if one is requested
		return handshake != null && handshake.tlsVersion() == TlsVersion.TLS_1_3
				&& connection.socket() instanceof SSLSocket socket
				&& socket.getSession() instanceof ExtendedSSLSession session
				&& session.getPeerSupportedSignatureAlgorithms().length > 0;
	}

	/**
	 * Return the exception to throw when a connection has failed that never delivered a
	 * response: the failure itself if it has another reason.
	 */
	static IOException of(Connection connection, IOException failure) {
		Handshake handshake = connection.handshake();
		return (handshake != null && !isAnswer(failure))
				? new ClosedAfterHandshakeException(!handshake.localCertificates().isEmpty(), failure) : failure;
	}

	/**
	 * Return whether the server has reset the stream of a request, which it does only
	 * after it has checked the certificate.
	 */
	static boolean isAnswer(IOException failure) {
		String message = String.valueOf(FailureText.message(failure));
		return message.startsWith(STREAM_RESET) && !message.equals(STREAM_RESET + "CANCEL");
	}

	/**
	 * Return whether the client had a certificate.
	 */
	boolean isWithCertificate() {
		return this.withCertificate;
	}

}
