/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * HTTP client for tests of the exact responses.
 */
final class TestClient {

	static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String url;

	private final HttpClient http;

	private final String token;

	TestClient(EmbeddedKubernetes kubernetes) {
		this(kubernetes.url(), HTTP, "");
	}

	TestClient(String url, HttpClient http, String token) {
		this.url = url;
		this.http = http;
		this.token = token;
	}

	/**
	 * Return a client of a real kube-apiserver.
	 */
	static TestClient of(ControlPlane controlPlane, String token) {
		HttpClient http = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.sslContext(trusting(controlPlane.caCertificate()))
			.build();
		return new TestClient(controlPlane.url().toString(), http, token);
	}

	private static SSLContext trusting(byte[] certificate) {
		try {
			KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
			trusted.load(null, null);
			trusted.setCertificateEntry("ca",
					CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(trusted);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, factory.getTrustManagers(), null);
			return context;
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	Answer get(String path) {
		return send("GET", path, null, "");
	}

	Answer post(String path, String body) {
		return send("POST", path, body, "application/json");
	}

	Answer put(String path, String body) {
		return send("PUT", path, body, "application/json");
	}

	Answer mergePatch(String path, String body) {
		return send("PATCH", path, body, "application/merge-patch+json");
	}

	/**
	 * Apply a configuration.
	 * @param query the query, with the field manager
	 */
	Answer apply(String path, String query, String body) {
		return send("PATCH", path + "?" + query, body, "application/apply-patch+yaml");
	}

	Answer delete(String path) {
		return send("DELETE", path, null, "");
	}

	Answer send(String method, String path, @Nullable String body, String contentType, String... headers) {
		HttpRequest.Builder request = request(path).timeout(Duration.ofSeconds(20))
			.method(method,
					(body != null) ? HttpRequest.BodyPublishers.ofString(body) : HttpRequest.BodyPublishers.noBody());
		if (!contentType.isEmpty()) {
			request.header("Content-Type", contentType);
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.body(),
					response.headers().firstValue("Retry-After").orElse(""));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	WatchReader watch(String path, String... headers) {
		HttpRequest.Builder request = request(path);
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			HttpResponse<InputStream> response = this.http.send(request.build(), BodyHandlers.ofInputStream());
			return new WatchReader(response.statusCode(), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.url + path));
		return this.token.isEmpty() ? request : request.header("Authorization", "Bearer " + this.token);
	}

	static String configMap(String name, String value) {
		return """
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"value":"%s"}}""".formatted(name,
				value);
	}

	static String configMap(String name, String label, String value) {
		return """
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s","labels":{"app":"%s"}},\
				"data":{"value":"%s"}}""".formatted(name, label, value);
	}

	/**
	 * Response with its whole body.
	 */
	record Answer(int code, String body, String retryAfter) {

		JsonNode json() {
			return Json.MAPPER.readTree(this.body);
		}

		String message() {
			return Json.text(json(), "message");
		}

		String reason() {
			return Json.text(json(), "reason");
		}

		String resourceVersion() {
			return Json.text(json().path("metadata"), "resourceVersion");
		}

	}

	/**
	 * Open watch.
	 */
	static final class WatchReader implements Closeable {

		static final String END = "(end)";

		static final String BROKEN = "(broken)";

		private final int code;

		private final InputStream in;

		private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

		private final Thread thread;

		WatchReader(int code, InputStream in) {
			this.code = code;
			this.in = in;
			this.thread = new Thread(this::read, "test-watch");
			this.thread.start();
		}

		private void read() {
			try (BufferedReader reader = new BufferedReader(new InputStreamReader(this.in, StandardCharsets.UTF_8))) {
				for (String line = reader.readLine(); line != null; line = reader.readLine()) {
					this.lines.add(line);
				}
				this.lines.add(END);
			}
			catch (IOException ex) {
				this.lines.add(BROKEN);
			}
		}

		int code() {
			return this.code;
		}

		/**
		 * Return the next line, or {@link #END} or {@link #BROKEN}.
		 */
		String line() {
			try {
				String line = this.lines.poll(60, TimeUnit.SECONDS);
				if (line == null) {
					throw new AssertionError("Nothing came within 20 s");
				}
				return line;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/**
		 * Return whether nothing is received for a duration, not even the end.
		 */
		boolean isIdleFor(Duration duration) {
			try {
				return this.lines.poll(duration.toMillis(), TimeUnit.MILLISECONDS) == null;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/**
		 * Return the next event as type, name and value, for instance {@code ADDED a 1}.
		 */
		String event() {
			String line = line();
			if (line.equals(END) || line.equals(BROKEN)) {
				return line;
			}
			JsonNode event = Json.MAPPER.readTree(line);
			JsonNode object = event.path("object");
			return (Json.text(event, "type") + " " + Json.text(object.path("metadata"), "name") + " "
					+ Json.text(object.path("data"), "value"))
				.trim();
		}

		JsonNode json() {
			return Json.MAPPER.readTree(line());
		}

		@Override
		public void close() throws IOException {
			this.in.close();
			try {
				this.thread.join(20_000);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
