/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;

/**
 * Text form of keys and certificates.
 */
final class Pem {

	private static final String END_OF_CERTIFICATE = "-----END CERTIFICATE-----";

	private static final String BEGIN_OF_CERTIFICATE = "-----BEGIN CERTIFICATE-----";

	private Pem() {
	}

	static KeyPair newKeyPair() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			return generator.generateKeyPair();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot create RSA keys: unsupported by this JVM", ex);
		}
	}

	static String of(String type, byte[] content) {
		String body = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, body, type);
	}

	/**
	 * Return whether a file that another process may be writing ends with a certificate.
	 */
	static boolean isComplete(String chain) {
		return chain.stripTrailing().endsWith(END_OF_CERTIFICATE);
	}

	/**
	 * Return the last certificate of a chain, which is the trust anchor.
	 * @param chain certificates in text form, the server's own first
	 * @return the last certificate in text form
	 */
	static byte[] lastCertificate(String chain) {
		int begin = chain.lastIndexOf(BEGIN_OF_CERTIFICATE);
		int end = chain.lastIndexOf(END_OF_CERTIFICATE);
		if (begin < 0 || end < begin) {
			throw new IllegalStateException("Cannot read the certificate of the API server: the file contains none");
		}
		return (chain.substring(begin, end + END_OF_CERTIFICATE.length()) + "\n").getBytes(StandardCharsets.UTF_8);
	}

}
