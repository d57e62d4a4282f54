/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

import org.jspecify.annotations.Nullable;

/**
 * Requests needed to start a cluster. Uses one connection per request and no threads, so
 * that nothing is left in the JVM of a test.
 */
final class ApiConnection {

	private static final int TIMEOUT = (int) Duration.ofSeconds(10).toMillis();

	private final URI server;

	private final String token;

	private final SSLSocketFactory sockets;

	ApiConnection(URI server, byte[] certificateAuthority, String token) {
		this.server = server;
		this.token = token;
		this.sockets = trusting(certificateAuthority);
	}

	private static SSLSocketFactory trusting(byte[] certificate) {
		try {
			KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
			trusted.load(null, null);
			trusted.setCertificateEntry("ca",
					CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(trusted);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, factory.getTrustManagers(), null);
			return context.getSocketFactory();
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException("Cannot trust the certificate of the API server", ex);
		}
	}

	Answer get(String path) throws IOException {
		return send("GET", path, null, TIMEOUT);
	}

	Answer get(String path, Duration timeout) throws IOException {
		return send("GET", path, null, (int) timeout.toMillis());
	}

	Answer post(String path, String json) throws IOException {
		return send("POST", path, json, TIMEOUT);
	}

	Answer put(String path, String json) throws IOException {
		return send("PUT", path, json, TIMEOUT);
	}

	Answer delete(String path) throws IOException {
		return send("DELETE", path, null, TIMEOUT);
	}

	private Answer send(String method, String path, @Nullable String json, int timeout) throws IOException {
		HttpsURLConnection connection = (HttpsURLConnection) this.server.resolve(path).toURL().openConnection();
		try {
			connection.setSSLSocketFactory(this.sockets);
			connection.setConnectTimeout(timeout);
			connection.setReadTimeout(timeout);
			connection.setRequestMethod(method);
			connection.setRequestProperty("Authorization", "Bearer " + this.token);
			connection.setRequestProperty("Connection", "close");
			if (json != null) {
				connection.setDoOutput(true);
				connection.setRequestProperty("Content-Type", "application/json");
				connection.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
			}
			int status = connection.getResponseCode();
			return new Answer(status, body(connection, status));
		}
		finally {
			connection.disconnect();
		}
	}

	private static String body(HttpURLConnection connection, int status) throws IOException {
		try (InputStream body = (status < 400) ? connection.getInputStream() : connection.getErrorStream()) {
			return (body != null) ? new String(body.readAllBytes(), StandardCharsets.UTF_8) : "";
		}
	}

	/**
	 * Response of the server.
	 *
	 * @param status the HTTP status code
	 * @param body the body, empty when there is none
	 */
	record Answer(int status, String body) {

		/**
		 * Return the body of a successful response.
		 * @return the body
		 * @throws IllegalStateException when the answer is another
		 */
		String expectSuccess() {
			if (this.status >= 300) {
				throw new IllegalStateException("API server returned status %d: %s".formatted(this.status, this.body));
			}
			return this.body;
		}

	}

}
