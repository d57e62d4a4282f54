/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ErrorServerTests {

	@TempDir
	private Path folder;

	@Test
	void request_isAnsweredWithStatusOverTrustedConnection() throws Exception {
		ServerKey key = new ServerKey(this.folder);
		try (ErrorServer server = new ErrorServer(key)) {
			server.respondWith(429);
			HttpClient client = HttpClient.newBuilder().sslContext(trusting(key.certificate())).build();
			HttpResponse<String> response = client.send(
					HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/api/v1/pods")).build(),
					BodyHandlers.ofString());
			assertThat(response.statusCode()).isEqualTo(429);
			assertThat(response.headers().firstValue("Retry-After")).contains("1");
			assertThat(response.body()).contains("\"kind\": \"Status\"", "TooManyRequests");
		}
	}

	static SSLContext trusting(String certificate) throws Exception {
		KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
		trusted.load(null, null);
		trusted.setCertificateEntry("server", CertificateFactory.getInstance("X.509")
			.generateCertificate(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII))));
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, factory.getTrustManagers(), null);
		return context;
	}

}
