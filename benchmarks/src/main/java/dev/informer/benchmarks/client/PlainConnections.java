/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Connections of the JDK's HTTP client to the replay server, or to a real one with TLS
 * and a token.
 */
public final class PlainConnections {

	private PlainConnections() {
	}

	/**
	 * Open a connection.
	 * @param settings the address and the credentials of the server
	 * @param path the path and the query
	 * @return the connection, on which no byte was sent yet
	 */
	static HttpURLConnection open(ClientSettings settings, String path) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) settings.server().resolve(path).toURL().openConnection();
		Path certificate = settings.certificate();
		if (connection instanceof HttpsURLConnection secure && certificate != null) {
			secure.setSSLSocketFactory(trusting(certificate).getSocketFactory());
			secure.setRequestProperty("Authorization", "Bearer " + settings.token());
		}
		return connection;
	}

	/**
	 * Create a context that trusts one certificate.
	 * @param certificate the file with the certificate
	 * @return the context, which trusts no other certificate
	 * @throws IOException if the certificate cannot be read
	 */
	public static SSLContext trusting(Path certificate) throws IOException {
		try (InputStream file = Files.newInputStream(certificate)) {
			KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
			store.load(null, null);
			store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(file));
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(store);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, trust.getTrustManagers(), null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IOException("Cannot read the certificate in " + certificate, ex);
		}
	}

}
