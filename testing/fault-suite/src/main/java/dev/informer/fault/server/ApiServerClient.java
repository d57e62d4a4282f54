/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.test.cluster.ControlPlane;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Direct access of an administrator to an API server, past the proxy. Thread-safe.
 */
public final class ApiServerClient {

	/** Timeout of requests that are measured or repeated. */
	static final Duration SHORT = Duration.ofSeconds(5);

	/** Timeout of requests without which the suite cannot continue. */
	static final Duration LONG = Duration.ofSeconds(30);

	/**
	 * Attempts to list: a server that has just started fills its watch caches, and
	 * answers with 429 and {@code Retry-After: 1} until then.
	 */
	private static final int ATTEMPTS = 10;

	private static final String METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

	private volatile URI server;

	private final String token;

	private final HttpClient client;

	private final Duration timeout;

	/**
	 * Create the access to a control plane.
	 */
	ApiServerClient(ControlPlane controlPlane, Duration timeout) {
		this.timeout = timeout;
		this.server = controlPlane.url();
		this.token = controlPlane.adminToken();
		this.client = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.connectTimeout(timeout)
			.sslContext(trusting(controlPlane.caCertificate()))
			.build();
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
			throw new IllegalStateException("Cannot trust the certificate of the API server", ex);
		}
	}

	/**
	 * Send all further requests to a standby of the control plane.
	 * @param standby the standby, which has the certificate and the users of the control
	 * plane
	 */
	void use(ControlPlane standby) {
		this.server = standby.url();
	}

	/**
	 * Create an object.
	 */
	public Answer post(String path, String json) throws IOException, InterruptedException {
		return send("POST", path, json, "application/json");
	}

	/**
	 * Replace an object.
	 */
	Answer put(String path, String json) throws IOException, InterruptedException {
		return send("PUT", path, json, "application/json");
	}

	/**
	 * Patch an object.
	 * @param json the JSON merge patch
	 */
	public Answer patch(String path, String json) throws IOException, InterruptedException {
		return send("PATCH", path, json, "application/merge-patch+json");
	}

	/**
	 * Delete an object.
	 */
	public Answer delete(String path) throws IOException, InterruptedException {
		return send("DELETE", path, "{\"gracePeriodSeconds\": 0}", "application/json");
	}

	/**
	 * Delete an object that has not changed since it was read. Otherwise a finalizer that
	 * is added while the server deletes the object does not keep it.
	 */
	public Answer deleteUnchanged(String path) throws IOException, InterruptedException {
		Answer read = get(path);
		return (read.status() != 200) ? read : send("DELETE", path, "{\"preconditions\": {\"resourceVersion\": \"%s\"}}"
			.formatted(read.json().path("metadata").path("resourceVersion").asString()), "application/json");
	}

	/**
	 * Read an object.
	 */
	public Answer get(String path) throws IOException, InterruptedException {
		return send(request(path));
	}

	private Answer send(String method, String path, String json, String contentType)
			throws IOException, InterruptedException {
		return send(request(path).header("Content-Type", contentType).method(method, BodyPublishers.ofString(json)));
	}

	private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
		return new Answer(response.statusCode(), response.body());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(this.server.resolve(path))
			.timeout(this.timeout)
			.header("Authorization", "Bearer " + this.token);
	}

	/**
	 * List the metadata of the current objects of the resources that every client
	 * watches.
	 * @return the states; a resource that is not served has none
	 */
	public ObjectStates list() throws IOException, InterruptedException {
		return list(WatchedResource.ofEveryClient());
	}

	/**
	 * List the metadata of the current objects of some resources.
	 * @return the states; a resource that is not served has none
	 */
	public ObjectStates list(Set<WatchedResource> resources) throws IOException, InterruptedException {
		ObjectStates states = new ObjectStates();
		for (WatchedResource resource : resources) {
			Answer answer = list(resource);
			for (int attempt = 1; answer.status() == 429 && attempt < ATTEMPTS; attempt++) {
				TimeUnit.SECONDS.sleep(1);
				answer = list(resource);
			}
			if (answer.status() != 404) {
				for (JsonNode item : answer.expectSuccess().json().path("items")) {
					JsonNode metadata = item.path("metadata");
					states.add(resource, metadata.path("namespace").asString(), metadata.path("name").asString(),
							metadata.path("uid").asString(), metadata.path("resourceVersion").asString());
				}
			}
		}
		return states;
	}

	private Answer list(WatchedResource resource) throws IOException, InterruptedException {
		// there are other Secrets in other namespaces
		String path = (resource == WatchedResource.SECRETS) ? resource.path(Cluster.NAMESPACE) : resource.path();
		return send(request(path).header("Accept", METADATA));
	}

	/**
	 * Response of the server.
	 *
	 * @param status the HTTP status code
	 * @param body the body
	 */
	public record Answer(int status, String body) {

		/**
		 * Return this response if the request was successful.
		 */
		public Answer expectSuccess() throws IOException {
			if (this.status >= 300) {
				throw new IOException("API server returned status %d: %s".formatted(this.status, this.body));
			}
			return this;
		}

		/**
		 * Parse the body.
		 */
		public JsonNode json() {
			return JsonMapper.shared().readTree(this.body);
		}

	}

}
