/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.client.Connection;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.ApiServerClient.Answer;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.ControlPlaneBuilder;
import tools.jackson.databind.JsonNode;

/**
 * Control plane with a namespace, a custom resource, and a client that may read what the
 * suite changes.
 */
public final class Cluster implements AutoCloseable {

	/** The namespace of the objects. */
	public static final String NAMESPACE = "fault";

	/** Key of the objects whose changes mark a point in time. */
	public static final String MARKER = NAMESPACE + "/marker";

	private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

	private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

	private static final String ACCOUNTS = "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts";

	private static final String USER = "client";

	private final ControlPlane controlPlane;

	private final ApiServerClient api;

	private final Path folder;

	private final boolean staticToken;

	private long round;

	/**
	 * Start a control plane.
	 * @param needs its settings
	 * @param folder the folder for files of the client
	 * @throws IOException if it cannot be prepared
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Cluster(Needs needs, Path folder) throws IOException, InterruptedException {
		this.folder = folder;
		this.staticToken = needs.staticToken();
		ControlPlaneBuilder builder = ControlPlane.fromEnvironment().user(USER, UUID.randomUUID().toString());
		needs.flags().forEach(builder::apiServerFlag);
		this.controlPlane = (needs.living() ? builder.living(1) : builder).start();
		this.api = new ApiServerClient(this.controlPlane);
		try {
			prepare();
		}
		catch (IOException | InterruptedException | RuntimeException ex) {
			this.controlPlane.close();
			throw ex;
		}
	}

	private void prepare() throws IOException, InterruptedException {
		this.api.post("/api/v1/namespaces", "{\"metadata\": {\"name\": \"%s\"}}".formatted(NAMESPACE)).expectSuccess();
		createCustomResource("v1");
		this.api.post(ROLES, """
				{"metadata": {"name": "client"},
				 "rules": [{"apiGroups": [""], "resources": ["configmaps", "pods"], "verbs": ["list", "watch"]},
				           {"apiGroups": ["fault.informer.dev"], "resources": ["widgets"], "verbs": ["list", "watch"]}]}
				""").expectSuccess();
		grant();
		createMarkers();
		Files.write(this.folder.resolve("ca.crt"), this.controlPlane.caCertificate());
		if (this.staticToken) {
			writeToken(this.controlPlane.token(USER));
		}
		else {
			rotateToken();
		}
	}

	/**
	 * Create the custom resource and wait until it is served.
	 * @param storageVersion the version in which objects are stored, {@code v1} or
	 * {@code v2}
	 * @throws IOException if it cannot be created
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void createCustomResource(String storageVersion) throws IOException, InterruptedException {
		String version = """
				{"name": "%s", "served": true, "storage": %s,
				 "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}
				""";
		this.api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
				{"metadata": {"name": "widgets.fault.informer.dev"},
				 "spec": {"group": "fault.informer.dev", "scope": "Namespaced",
				          "names": {"plural": "widgets", "kind": "Widget"}, "versions": [%s, %s]}}
				""".formatted(version.formatted("v1", storageVersion.equals("v1")),
				version.formatted("v2", storageVersion.equals("v2"))))
			.expectSuccess();
		while (this.api.get(WatchedResource.WIDGETS.path()).status() != 200) {
			TimeUnit.MILLISECONDS.sleep(100);
		}
	}

	/**
	 * Delete the custom resource and wait until it is no longer served.
	 * @throws IOException if it cannot be deleted
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void deleteCustomResource() throws IOException, InterruptedException {
		this.api.delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.fault.informer.dev")
			.expectSuccess();
		while (this.api.get(WatchedResource.WIDGETS.path()).status() != 404) {
			TimeUnit.MILLISECONDS.sleep(100);
		}
	}

	/**
	 * Grant the rights of the client.
	 * @throws IOException if the server rejects the request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void grant() throws IOException, InterruptedException {
		this.api.post(BINDINGS, """
				{"metadata": {"name": "client"},
				 "subjects": [{"kind": "User", "name": "client", "apiGroup": "rbac.authorization.k8s.io"},
				              {"kind": "ServiceAccount", "name": "client", "namespace": "fault"}],
				 "roleRef": {"kind": "ClusterRole", "name": "client", "apiGroup": "rbac.authorization.k8s.io"}}
				""").expectSuccess();
	}

	/**
	 * Revoke the rights of the client.
	 * @throws IOException if the server rejects the request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void revoke() throws IOException, InterruptedException {
		this.api.delete(BINDINGS + "/client").expectSuccess();
	}

	/**
	 * Create a service account and write its token to the file of the client.
	 * @throws IOException if the server rejects the request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void rotateToken() throws IOException, InterruptedException {
		this.api.post(ACCOUNTS, "{\"metadata\": {\"name\": \"client\"}}").expectSuccess();
		Answer answer = this.api.post(ACCOUNTS + "/client/token", """
				{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
				 "spec": {"expirationSeconds": 36000}}
				""").expectSuccess();
		writeToken(answer.json().path("status").path("token").asString());
	}

	/**
	 * Delete the service account, so that the server rejects its tokens.
	 * @throws IOException if the server rejects the request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void revokeToken() throws IOException, InterruptedException {
		this.api.delete(ACCOUNTS + "/client").expectSuccess();
	}

	private void writeToken(String token) throws IOException {
		Path complete = Files.writeString(this.folder.resolve("token.tmp"), token);
		Files.move(complete, this.folder.resolve("token"), StandardCopyOption.REPLACE_EXISTING,
				StandardCopyOption.ATOMIC_MOVE);
	}

	/**
	 * Add a trusted certificate to the file of the client.
	 * @param certificate the certificate in PEM format
	 * @throws IOException if the file cannot be written
	 */
	public void trust(String certificate) throws IOException {
		Path file = this.folder.resolve("ca.crt");
		Files.writeString(file, Files.readString(file, StandardCharsets.UTF_8) + certificate);
	}

	/**
	 * Return the connection of the client.
	 * @param port the port of the proxy
	 * @return the connection
	 */
	public Connection connection(int port) {
		return new Connection("https://127.0.0.1:" + port, this.folder.resolve("ca.crt"),
				this.folder.resolve("token"));
	}

	/**
	 * Create the objects that {@link #mark} changes, where they are missing.
	 * @throws IOException if the server rejects a request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void createMarkers() throws IOException, InterruptedException {
		for (WatchedResource resource : WatchedResource.values()) {
			marker(resource).create(this.api);
		}
	}

	/**
	 * Change an object of each resource.
	 * @return the states of these objects
	 * @throws IOException if the server rejects a request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public ObjectStates mark() throws IOException, InterruptedException {
		ObjectStates states = new ObjectStates();
		for (WatchedResource resource : WatchedResource.values()) {
			JsonNode metadata = marker(resource).change(this.api, ++this.round)
				.expectSuccess()
				.json()
				.path("metadata");
			states.add(resource, NAMESPACE, "marker", metadata.path("uid").asString(),
					metadata.path("resourceVersion").asString());
		}
		return states;
	}

	private static TestObject marker(WatchedResource resource) {
		return new TestObject(resource, NAMESPACE, "marker", 100);
	}

	/**
	 * Return the port of the API server.
	 * @return the port
	 */
	public int port() {
		return this.controlPlane.url().getPort();
	}

	/**
	 * Return the control plane.
	 * @return the control plane
	 */
	public ControlPlane controlPlane() {
		return this.controlPlane;
	}

	/**
	 * Return the direct access to the API server.
	 * @return the access
	 */
	public ApiServerClient api() {
		return this.api;
	}

	@Override
	public void close() {
		this.controlPlane.close();
	}

}
