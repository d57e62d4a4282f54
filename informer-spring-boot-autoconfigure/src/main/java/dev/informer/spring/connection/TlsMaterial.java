/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemContent;
import org.springframework.util.Assert;

/**
 * Trusted certificates and client certificate of a connection, whose text does not
 * contain the key.
 *
 * @param ca the trusted certificates in PEM format; {@code null} for the trust store of
 * the JVM
 * @param certificate the client certificate; {@code null} for none
 * @param bundle the bundle that replaces both; {@code null} for none
 */
record TlsMaterial(@Nullable String ca, @Nullable ClientCertificate certificate, @Nullable SslBundle bundle) {

	static final TlsMaterial NONE = new TlsMaterial(null, null, null);

	private static final char[] NO_PASSWORD = new char[0];

	TlsMaterial withCertificate(ClientCertificate other) {
		return new TlsMaterial(this.ca, other, this.bundle);
	}

	/**
	 * Return the manager that decides which servers are trusted.
	 * @param origin the origin of the trusted certificates, for messages
	 * @return the manager
	 * @throws GeneralSecurityException if the certificates are invalid
	 */
	X509ExtendedTrustManager trustManager(String origin) throws GeneralSecurityException {
		return new ServerTrust(x509(trustManagers()), origin);
	}

	private TrustManager[] trustManagers() throws GeneralSecurityException {
		if (this.bundle != null) {
			return this.bundle.getManagers().getTrustManagers();
		}
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init((this.ca != null) ? trustStore(this.ca) : null);
		return factory.getTrustManagers();
	}

	private static KeyStore trustStore(String ca) throws GeneralSecurityException {
		KeyStore store = emptyStore();
		List<X509Certificate> certificates = PemContent.of(ca).getCertificates();
		Assert.state(!certificates.isEmpty(), "No certificate found");
		for (int i = 0; i < certificates.size(); i++) {
			store.setCertificateEntry("ca-" + i, certificates.get(i));
		}
		return store;
	}

	private static X509ExtendedTrustManager x509(TrustManager[] managers) throws GeneralSecurityException {
		return Arrays.stream(managers)
			.filter(X509ExtendedTrustManager.class::isInstance)
			.map(X509ExtendedTrustManager.class::cast)
			.findFirst()
			.orElseThrow(() -> new GeneralSecurityException("No trust manager for X.509 certificates"));
	}

	/**
	 * Create a context.
	 * @param trustManager the trust manager
	 * @return the context, without sessions of earlier ones: a resumed session would keep
	 * the identity of its client certificate
	 * @throws GeneralSecurityException if the client certificate is invalid
	 */
	SSLContext context(TrustManager trustManager) throws GeneralSecurityException {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keyManagers(), new TrustManager[] { trustManager }, null);
		return context;
	}

	/**
	 * Restrict a socket to the protocols and ciphers of the bundle.
	 * @param socket the socket
	 */
	void restrict(Socket socket) {
		if (this.bundle == null || !(socket instanceof SSLSocket secured)) {
			return;
		}
		String[] protocols = this.bundle.getOptions().getEnabledProtocols();
		if (protocols != null) {
			secured.setEnabledProtocols(protocols);
		}
		String[] ciphers = this.bundle.getOptions().getCiphers();
		if (ciphers != null) {
			secured.setEnabledCipherSuites(ciphers);
		}
	}

	private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException {
		if (this.certificate != null) {
			KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			factory.init(keyStore(this.certificate), NO_PASSWORD);
			return factory.getKeyManagers();
		}
		return (this.bundle != null) ? this.bundle.getManagers().getKeyManagers() : null;
	}

	private static KeyStore keyStore(ClientCertificate certificate) throws GeneralSecurityException {
		List<X509Certificate> chain = PemContent.of(certificate.certificates()).getCertificates();
		PrivateKey key = PemContent.of(certificate.key()).getPrivateKey();
		KeyStore store = emptyStore();
		store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
		return store;
	}

	private static KeyStore emptyStore() throws GeneralSecurityException {
		try {
			KeyStore store = KeyStore.getInstance("PKCS12");
			store.load(null, null);
			return store;
		}
		catch (IOException ex) {
			throw new GeneralSecurityException(ex);
		}
	}

	@Override
	public String toString() {
		return "TlsMaterial";
	}

}
