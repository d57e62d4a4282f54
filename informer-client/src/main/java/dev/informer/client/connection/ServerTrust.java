/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.net.Socket;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.informer.support.FailureText;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Trust manager whose failure names the issuer of the certificate of the server and the
 * trusted issuers. Without a delegate it trusts every server.
 */
final class ServerTrust extends X509ExtendedTrustManager {

	private static final int MAX_NAMES = 3;

	private static final String SOCKETS = "Only servers are checked, at sockets";

	private final @Nullable X509ExtendedTrustManager delegate;

	private final String origin;

	ServerTrust(@Nullable X509ExtendedTrustManager delegate, String origin) {
		this.delegate = delegate;
		this.origin = origin;
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		if (this.delegate == null) {
			return;
		}
		try {
			this.delegate.checkServerTrusted(chain, authType, socket);
		}
		catch (CertificateException ex) {
			List<Throwable> causes = FailureText.withCauses(ex);
			// a trusted CA of the same name, as in clusters whose CAs all have the same
			// one
			boolean otherKey = causes.stream().anyMatch(SignatureException.class::isInstance);
			if (!otherKey && causes.stream().noneMatch(CertPathBuilderException.class::isInstance)) {
				throw ex;
			}
			CertificateException failure = new CertificateException("unknown CA: the certificate of the server was "
					+ "issued by '" + name(chain[chain.length - 1].getIssuerX500Principal().getName()) + "', trusted "
					+ trusted(this.delegate.getAcceptedIssuers()) + (otherKey ? ", which has another key" : ""));
			failure.addSuppressed(ex);
			throw failure;
		}
	}

	private String trusted(X509Certificate[] issuers) {
		if (issuers.length > MAX_NAMES) {
			return "are " + issuers.length + " certificates of " + this.origin;
		}
		return ((issuers.length == 0) ? "is none" : "is ") + Arrays.stream(issuers)
			.map((issuer) -> "'" + name(issuer.getSubjectX500Principal().getName()) + "'")
			.collect(Collectors.joining(", ")) + " of " + this.origin;
	}

	/**
	 * Return the name in one line of bounded length: the peer may be anyone.
	 */
	private static String name(String name) {
		return UntrustedText.of(name, 200);
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		throw new UnsupportedOperationException(SOCKETS);
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) {
		throw new UnsupportedOperationException(SOCKETS);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
		throw new UnsupportedOperationException(SOCKETS);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		throw new UnsupportedOperationException(SOCKETS);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) {
		throw new UnsupportedOperationException(SOCKETS);
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return (this.delegate != null) ? this.delegate.getAcceptedIssuers() : new X509Certificate[0];
	}

}
