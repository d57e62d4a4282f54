/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

import dev.informer.test.support.TestAuthority;
import org.bouncycastle.asn1.ASN1BitString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Pem}.
 */
class PemTests {

	@Test
	void certificates_areReadInOrderBetweenOtherTexts() throws Exception {
		TestAuthority first = new TestAuthority("first");
		TestAuthority second = new TestAuthority("second");
		assertThat(Pem.certificates("0 s: first\n" + first.pem() + "\n# second\r\n" + second.pem().replace("\n", "\r\n")
				+ "-----BEGIN CERTIFICATE-----\n"))
			.extracting((certificate) -> new String(certificate.getEncoded(), StandardCharsets.ISO_8859_1))
			.satisfiesExactly((one) -> assertThat(one).contains("first"), (two) -> assertThat(two).contains("second"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "nonsense", "-----BEGIN CERTIFICATE-----\n" })
	void textWithoutCertificate_isInvalid(String text) {
		assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> Pem.certificates(text))
			.withMessage("No certificate found");
	}

	@ParameterizedTest
	@CsvSource({ "RSA,2048", "EC,256", "Ed25519,255" })
	void keyInPkcs8_isRead(String algorithm, int size) throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
		generator.initialize(size);
		PrivateKey key = generator.generateKeyPair().getPrivate();
		assertThat(Pem.privateKey(block("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1024, 2048, 4096 })
	void rsaKeyInPkcs1_isRead(int size) throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(size);
		PrivateKey key = generator.generateKeyPair().getPrivate();
		byte[] pkcs1 = PrivateKeyInfo.getInstance(key.getEncoded()).parsePrivateKey().toASN1Primitive().getEncoded();
		assertThat(Pem.privateKey(block("RSA PRIVATE KEY", pkcs1))).isEqualTo(key);
	}

	@ParameterizedTest
	@CsvSource({ "secp256r1,256,false", "secp256r1,256,true", "secp384r1,384,false", "secp384r1,384,true",
			"secp521r1,521,false", "secp521r1,521,true" })
	void ecKeyInSec1_isRead(String curve, int size, boolean withPublicKey) throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
		generator.initialize(new ECGenParameterSpec(curve));
		KeyPair pair = generator.generateKeyPair();
		ECPrivateKey key = (ECPrivateKey) pair.getPrivate();
		BigInteger secret = key.getS();
		// Go writes it, for example into the kubeconfig of k3s
		ASN1BitString publicKey = withPublicKey
				? SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()).getPublicKeyData() : null;
		byte[] sec1 = new org.bouncycastle.asn1.sec.ECPrivateKey(size, secret, publicKey,
				PrivateKeyInfo.getInstance(key.getEncoded()).getPrivateKeyAlgorithm().getParameters())
			.getEncoded();
		String parameters = block("EC PARAMETERS", new byte[] { 6, 1, 0 });
		PrivateKey read = Pem.privateKey(parameters + block("EC PRIVATE KEY", sec1));
		assertThat(read).isInstanceOfSatisfying(ECPrivateKey.class, (ec) -> {
			assertThat(ec.getS()).isEqualTo(secret);
			assertThat(ec.getParams().getCurve()).isEqualTo(key.getParams().getCurve());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "EC PRIVATE KEY", "RSA PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY" })
	void otherText_isNoKey(String label) {
		String text = label.isEmpty() ? "" : block(label, new byte[] { 0x30, 3, 2, 1, 1 });
		assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> Pem.privateKey(text));
	}

	private static String block(String label, byte[] content) {
		return "-----BEGIN " + label + "-----\n"
				+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content) + "\n-----END " + label
				+ "-----\n";
	}

}
