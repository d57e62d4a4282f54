/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Trusted certificates and client certificate of a connection, whose text does not
 * contain the key.
 *
 * @param ca the trusted certificates in PEM format; {@code null} for the trust store of
 * the JVM
 * @param configured the configuration that replaces both; {@code null} for none
 */
record TlsMaterial(@Nullable String ca, @Nullable ClientCertificate certificate,
		ServerDetails.@Nullable Tls configured) {

	static final TlsMaterial NONE = new TlsMaterial(null, null, null);

	private static final char[] NO_PASSWORD = new char[0];

	TlsMaterial withCertificate(ClientCertificate other) {
		return new TlsMaterial(this.ca, other, this.configured);
	}

	X509ExtendedTrustManager trustManager() throws GeneralSecurityException {
		return Stream.of(trustManagers())
			.filter(X509ExtendedTrustManager.class::isInstance)
			.map(X509ExtendedTrustManager.class::cast)
			.findFirst()
			.orElseThrow(() -> new GeneralSecurityException("No trust manager for X.509 certificates"));
	}

	private TrustManager[] trustManagers() throws GeneralSecurityException {
		if (this.configured != null) {
			return this.configured.trustManagers();
		}
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init((this.ca != null) ? trustStore(this.ca) : null);
		return factory.getTrustManagers();
	}

	private static KeyStore trustStore(String ca) throws GeneralSecurityException {
		KeyStore store = emptyStore();
		List<Certificate> certificates = Pem.certificates(ca);
		for (int i = 0; i < certificates.size(); i++) {
			store.setCertificateEntry("ca-" + i, certificates.get(i));
		}
		return store;
	}

	/**
	 * Create a context without sessions of earlier ones: a resumed session would keep the
	 * identity of its client certificate.
	 */
	SSLContext context(TrustManager trustManager) throws GeneralSecurityException {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keyManagers(), new TrustManager[] { trustManager }, null);
		return context;
	}

	private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException {
		if (this.certificate == null) {
			return (this.configured != null) ? this.configured.keyManagers() : null;
		}
		KeyStore store = emptyStore();
		store.setKeyEntry("client", Pem.privateKey(this.certificate.key()), NO_PASSWORD,
				Pem.certificates(this.certificate.certificates()).toArray(Certificate[]::new));
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(store, NO_PASSWORD);
		return factory.getKeyManagers();
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

	/**
	 * Restrict a socket to the protocols and ciphers of the configuration.
	 */
	void restrict(Socket socket) {
		if (this.configured == null || !(socket instanceof SSLSocket secured)) {
			return;
		}
		String[] protocols = this.configured.protocols();
		if (protocols != null) {
			secured.setEnabledProtocols(protocols);
		}
		String[] ciphers = this.configured.ciphers();
		if (ciphers != null) {
			secured.setEnabledCipherSuites(ciphers);
		}
	}

	@Override
	public String toString() {
		return "TlsMaterial";
	}

	/**
	 * Client certificate and its private key, both in PEM format. The text of this record
	 * does not contain the key.
	 */
	record ClientCertificate(String certificates, String key) {

		static @Nullable ClientCertificate of(@Nullable String certificates, @Nullable String key) {
			return (certificates != null && key != null) ? new ClientCertificate(certificates, key) : null;
		}

		@Override
		public String toString() {
			return "ClientCertificate";
		}

	}

}
