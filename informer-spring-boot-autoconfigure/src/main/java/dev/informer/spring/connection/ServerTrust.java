/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.net.Socket;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.stream.Collectors;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Trust manager whose failure names the issuer of the certificate of the server and the
 * trusted issuers.
 */
final class ServerTrust extends X509ExtendedTrustManager {

	private static final int MAX_NAMES = 3;

	private final X509ExtendedTrustManager delegate;

	private final String origin;

	ServerTrust(X509ExtendedTrustManager delegate, String origin) {
		this.delegate = delegate;
		this.origin = origin;
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		check(chain, () -> this.delegate.checkServerTrusted(chain, authType, socket));
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		check(chain, () -> this.delegate.checkServerTrusted(chain, authType, engine));
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		check(chain, () -> this.delegate.checkServerTrusted(chain, authType));
	}

	private void check(X509Certificate[] chain, Check check) throws CertificateException {
		try {
			check.run();
		}
		catch (CertificateException ex) {
			if (!isUnknownIssuer(ex)) {
				throw ex;
			}
			CertificateException failure = new CertificateException("unknown CA: the certificate of the server was "
					+ "issued by '" + name(chain[chain.length - 1].getIssuerX500Principal().getName()) + "', trusted "
					+ trusted() + (isOtherKey(ex) ? ", which has another key" : ""));
			failure.addSuppressed(ex);
			throw failure;
		}
	}

	private static boolean isUnknownIssuer(Throwable failure) {
		return hasCause(failure, CertPathBuilderException.class) || isOtherKey(failure);
	}

	/**
	 * Return whether the CA has the name of a trusted one, as in clusters whose CAs all
	 * have the same name.
	 */
	private static boolean isOtherKey(Throwable failure) {
		return hasCause(failure, SignatureException.class);
	}

	private static boolean hasCause(@Nullable Throwable failure, Class<?> type) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

	private String trusted() {
		X509Certificate[] issuers = this.delegate.getAcceptedIssuers();
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
		String line = name.replaceAll("\\p{Cntrl}", "?");
		return (line.length() <= 200) ? line : line.substring(0, 200) + "...";
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		this.delegate.checkClientTrusted(chain, authType, socket);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		this.delegate.checkClientTrusted(chain, authType, engine);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		this.delegate.checkClientTrusted(chain, authType);
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return this.delegate.getAcceptedIssuers();
	}

	/**
	 * Check of the delegate.
	 */
	private interface Check {

		void run() throws CertificateException;

	}

}
