/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * Reader of certificates and unencrypted private keys in PEM format.
 */
final class Pem {

	private static final Pattern CERTIFICATE = Pattern
		.compile("-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]+-----END \\1-----");

	private Pem() {
	}

	/**
	 * Read certificates. There is at least one.
	 */
	static List<Certificate> certificates(String text) throws GeneralSecurityException {
		String blocks = CERTIFICATE.matcher(text).results().map(MatchResult::group).collect(Collectors.joining("\n"));
		if (blocks.isEmpty()) {
			throw new CertificateException("No certificate found");
		}
		return List.copyOf(CertificateFactory.getInstance("X.509")
			.generateCertificates(new ByteArrayInputStream(blocks.getBytes(StandardCharsets.US_ASCII))));
	}

	/**
	 * Read a key of PKCS #8, PKCS #1 or SEC 1.
	 */
	static PrivateKey privateKey(String text) throws GeneralSecurityException {
		JcaPEMKeyConverter converter = new JcaPEMKeyConverter().setProvider(new BouncyCastleProvider());
		try (PEMParser parser = new PEMParser(new StringReader(text))) {
			for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
				if (part instanceof PEMKeyPair pair) {
					return converter.getPrivateKey(pair.getPrivateKeyInfo());
				}
				if (part instanceof PrivateKeyInfo key) {
					return converter.getPrivateKey(key);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			// rejected below, without the message: it may quote the key
		}
		throw new InvalidKeyException("No valid private key without a password found");
	}

}
