/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Certificate authority that issues certificates of servers and clients.
 */
public final class TestAuthority {

	private final KeyPair keys = newKeys();

	private final X500Name name;

	private final X509CertificateHolder certificate;

	/**
	 * Create an authority.
	 * @param name its common name
	 */
	public TestAuthority(String name) {
		this.name = new X500Name("CN=" + name);
		this.certificate = sign(this.name, this.keys, true);
	}

	private static KeyPair newKeys() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
			generator.initialize(256);
			return generator.generateKeyPair();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private X509CertificateHolder sign(X500Name subject, KeyPair subjectKeys, boolean authority, GeneralName... names) {
		Instant now = Instant.now();
		JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(this.name,
				BigInteger.valueOf(System.nanoTime()), Date.from(now.minus(Duration.ofHours(1))),
				Date.from(now.plus(Duration.ofDays(2))), subject, subjectKeys.getPublic());
		try {
			builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
			if (names.length > 0) {
				builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
			}
			return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(this.keys.getPrivate()));
		}
		catch (IOException | OperatorCreationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the certificate of the authority in PEM format.
	 */
	public String pem() {
		return pem(this.certificate);
	}

	/**
	 * Issue a certificate of a server at 127.0.0.1 or of a client.
	 * @param name the common name
	 */
	public Issued issue(String name) {
		return issue(name, new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
	}

	/**
	 * Issue a certificate for a host.
	 * @param name the common name
	 * @param host the DNS name of the host
	 */
	public Issued issueForHost(String name, String host) {
		return issue(name, new GeneralName(GeneralName.dNSName, host));
	}

	private Issued issue(String common, GeneralName... names) {
		KeyPair issued = newKeys();
		X509CertificateHolder leaf = sign(new X500Name("CN=" + common), issued, false, names);
		return new Issued(pem(leaf) + pem(), pem(new PemKey(issued)), issued, List.of(leaf, this.certificate));
	}

	private static String pem(Object... objects) {
		StringWriter text = new StringWriter();
		try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
			for (Object object : objects) {
				writer.writeObject((object instanceof PemKey key)
						? new JcaPKCS8Generator(key.keys().getPrivate(), null).generate() : object);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return text.toString();
	}

	/**
	 * Return the trust managers that trust this authority.
	 */
	public TrustManager[] trustManagers() {
		try {
			KeyStore store = emptyStore();
			store.setCertificateEntry("ca", certificate(this.certificate));
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(store);
			return factory.getTrustManagers();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore emptyStore() throws GeneralSecurityException {
		try {
			KeyStore store = KeyStore.getInstance("PKCS12");
			store.load(null, null);
			return store;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Certificate certificate(X509CertificateHolder holder) throws CertificateException {
		return new JcaX509CertificateConverter().getCertificate(holder);
	}

	private record PemKey(KeyPair keys) {

	}

	/**
	 * Certificate with its key.
	 *
	 * @param chain the certificate and that of the authority in PEM format
	 * @param key the key in PEM format
	 * @param keys the key
	 * @param certificates the certificates
	 */
	public record Issued(String chain, String key, KeyPair keys, List<X509CertificateHolder> certificates) {

		/**
		 * Return a context with this certificate.
		 * @param trusted the trusted authority; {@code null} for those of the JVM
		 */
		public SSLContext context(@Nullable TestAuthority trusted) {
			try {
				KeyStore store = emptyStore();
				Certificate[] chain = new Certificate[this.certificates.size()];
				for (int i = 0; i < chain.length; i++) {
					chain[i] = certificate(this.certificates.get(i));
				}
				store.setKeyEntry("key", this.keys.getPrivate(), new char[0], chain);
				KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
				keyManagers.init(store, new char[0]);
				SSLContext context = SSLContext.getInstance("TLS");
				context.init(keyManagers.getKeyManagers(), (trusted != null) ? trusted.trustManagers() : null, null);
				return context;
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
