/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * Reader of certificates and unencrypted private keys in PEM format.
 */
final class Pem {

	private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]+)-----END \\1-----");

	private Pem() {
	}

	/**
	 * Read certificates. There is at least one.
	 */
	static List<Certificate> certificates(String text) throws GeneralSecurityException {
		CertificateFactory factory = CertificateFactory.getInstance("X.509");
		List<Certificate> certificates = new ArrayList<>();
		for (Matcher block = BLOCK.matcher(text); block.find();) {
			if (block.group(1).endsWith("CERTIFICATE")) {
				certificates.add(factory.generateCertificate(new ByteArrayInputStream(decode(block.group(2)))));
			}
		}
		if (certificates.isEmpty()) {
			throw new CertificateException("No certificate found");
		}
		return certificates;
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

	private static byte[] decode(String base64) throws GeneralSecurityException {
		try {
			return Base64.getMimeDecoder().decode(base64);
		}
		catch (IllegalArgumentException ex) {
			throw new GeneralSecurityException("A PEM block is not encoded with Base64");
		}
	}

}
