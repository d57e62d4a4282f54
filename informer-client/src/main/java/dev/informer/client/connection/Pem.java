/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of certificates and unencrypted private keys in PEM format, without
 * BouncyCastle.
 */
final class Pem {

	private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]+)-----END \\1-----");

	/** Algorithm identifier of RSA in DER format. */
	private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

	/** Object identifier of keys on elliptic curves in DER format. */
	private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

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
		for (Matcher block = BLOCK.matcher(text); block.find();) {
			byte[] key = decode(block.group(2));
			switch (block.group(1)) {
				case "PRIVATE KEY" -> {
					return pkcs8(key);
				}
				case "RSA PRIVATE KEY" -> {
					return key("RSA", wrap(RSA, key));
				}
				case "EC PRIVATE KEY" -> {
					return key("EC", wrap(der(0x30, EC, curve(key)), key));
				}
				default -> {
					// a certificate, or the parameters of the key, which it contains as
					// well
				}
			}
		}
		throw new InvalidKeyException("No private key found");
	}

	private static PrivateKey pkcs8(byte[] key) throws GeneralSecurityException {
		for (String algorithm : List.of("RSA", "EC", "EdDSA", "RSASSA-PSS")) {
			try {
				return key(algorithm, key);
			}
			catch (GeneralSecurityException ex) {
				// the key has another algorithm
			}
		}
		throw new InvalidKeyException("The private key is invalid or has an unsupported algorithm");
	}

	private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
		return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
	}

	private static byte[] wrap(byte[] algorithm, byte[] key) {
		return der(0x30, new byte[] { 2, 1, 0 }, algorithm, der(0x04, key));
	}

	/**
	 * Return the identifier of the curve: the element with tag 0 after version and key.
	 */
	private static byte[] curve(byte[] key) throws InvalidKeyException {
		try {
			int version = (key[1] >= 0) ? 2 : 2 + (key[1] & 0x7F);
			int secret = version + 3;
			int parameters = secret + 2 + key[secret + 1];
			if (key[parameters] == (byte) 0xA0) {
				return Arrays.copyOfRange(key, parameters + 2, parameters + 2 + key[parameters + 1]);
			}
		}
		catch (IndexOutOfBoundsException | IllegalArgumentException ex) {
			// rejected below
		}
		throw new InvalidKeyException("The private key names no curve");
	}

	private static byte[] der(int tag, byte[]... parts) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			content.writeBytes(part);
		}
		ByteArrayOutputStream element = new ByteArrayOutputStream();
		element.write(tag);
		int length = content.size();
		// the shortest encoding: another one is rejected
		if (length >= 0x100) {
			element.write(0x82);
			element.write(length >> 8);
		}
		else if (length >= 0x80) {
			element.write(0x81);
		}
		element.write(length);
		element.writeBytes(content.toByteArray());
		return element.toByteArray();
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
