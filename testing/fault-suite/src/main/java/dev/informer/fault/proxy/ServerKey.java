/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Key and certificate of the servers of the suite.
 */
public final class ServerKey {

	private static final char[] PASSWORD = "password".toCharArray();

	private static final String ALIAS = "server";

	private final SSLContext context;

	private final String certificate;

	/**
	 * Create a key.
	 */
	public ServerKey(Path folder) throws IOException, InterruptedException {
		try {
			KeyStore keys = createKeys(folder.resolve("server-key.p12"));
			this.certificate = pem(keys.getCertificate(ALIAS));
			KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			factory.init(keys, PASSWORD);
			this.context = SSLContext.getInstance("TLS");
			this.context.init(factory.getKeyManagers(), null, null);
		}
		catch (GeneralSecurityException ex) {
			throw new IOException("Cannot create a certificate", ex);
		}
	}

	private static KeyStore createKeys(Path file) throws IOException, InterruptedException, GeneralSecurityException {
		Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
		Process process = new ProcessBuilder(List.of(keytool.toString(), "-genkeypair", "-alias", ALIAS, "-keyalg",
				"EC", "-dname", "CN=fault-suite", "-ext", "san=ip:127.0.0.1", "-validity", "30", "-storetype", "PKCS12",
				"-storepass", new String(PASSWORD), "-keystore", file.toString()))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException("keytool failed: " + output);
		}
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream stream = Files.newInputStream(file)) {
			keys.load(stream, PASSWORD);
		}
		return keys;
	}

	private static String pem(Certificate certificate) throws GeneralSecurityException {
		String body = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(certificate.getEncoded());
		return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
	}

	SSLContext context() {
		return this.context;
	}

	/**
	 * Return the certificate in PEM format, which clients have to trust.
	 */
	public String certificate() {
		return this.certificate;
	}

}
