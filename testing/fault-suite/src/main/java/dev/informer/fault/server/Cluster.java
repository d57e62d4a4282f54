/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.client.Connection;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.ApiServerClient.Answer;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.ControlPlaneBuilder;
import org.jspecify.annotations.Nullable;
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

	/** Name of the Lease of replicas, and of their group. */
	public static final String LEASE = "replica";

	private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases";

	private static final String NAMESPACES = "/api/v1/namespaces";

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String WIDGETS = "/widgets.fault.informer.dev";

	private static final String USER = "client";

	/** Maximum number of replicas, each of which is a user. */
	private static final int REPLICAS = 4;

	private volatile ControlPlane controlPlane;

	/** Direct access to what is measured. */
	private final ApiServerClient api;

	/** Direct access to what the scenarios set up and change. */
	private final ApiServerClient setUp;

	private final ClientAccess access;

	private final @Nullable SecondServer second;

	private long round;

	/**
	 * Start a control plane.
	 */
	public Cluster(Needs needs, Path folder) throws IOException, InterruptedException {
		ControlPlaneBuilder builder = ControlPlane.fromEnvironment().user(USER, UUID.randomUUID().toString());
		for (int i = 0; i < REPLICAS; i++) {
			builder.user(replica(i), UUID.randomUUID().toString());
		}
		needs.flags().forEach(builder::apiServerFlag);
		this.controlPlane = (needs.controllers() ? builder.living(1) : builder).start();
		this.api = new ApiServerClient(this.controlPlane, ApiServerClient.SHORT);
		this.setUp = new ApiServerClient(this.controlPlane, ApiServerClient.LONG);
		this.access = new ClientAccess(this.setUp, folder);
		try {
			prepare();
			this.second = needs.secondServer() ? SecondServer.start(this.controlPlane, USER) : null;
			if (this.second != null) {
				this.access.trust(this.second.controlPlane());
				this.access.useToken(this.controlPlane.token(USER));
			}
		}
		catch (IOException | InterruptedException | RuntimeException ex) {
			this.controlPlane.close();
			throw ex;
		}
	}

	private void prepare() throws IOException, InterruptedException {
		createNamespace(NAMESPACE, 0);
		customResource(true, "v1");
		this.access.allow();
		createMarkers();
		this.access.trust(this.controlPlane);
		this.access.rotateToken();
	}

	/**
	 * Create or change the custom resource, and wait until its first version is served or
	 * not.
	 * @param firstServed whether version {@code v1}, which the clients watch, is served
	 * @param storage the version in which objects are stored, {@code v1} or {@code v2}
	 */
	public void customResource(boolean firstServed, String storage) throws IOException, InterruptedException {
		String version = """
				{"name": "%s", "served": %s, "storage": %s,
				 "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}
				""";
		String definition = """
				{"metadata": {"name": "widgets.fault.informer.dev"},
				 "spec": {"group": "fault.informer.dev", "scope": "Namespaced",
				          "names": {"plural": "widgets", "kind": "Widget"}, "versions": [%s, %s]}}
				""".formatted(version.formatted("v1", firstServed, storage.equals("v1")),
				version.formatted("v2", true, storage.equals("v2")));
		Answer created = this.setUp.post(DEFINITIONS, definition);
		((created.status() == 409) ? this.setUp.patch(DEFINITIONS + WIDGETS, definition) : created).expectSuccess();
		await(WatchedResource.WIDGETS.path(), firstServed ? 200 : 404);
	}

	/**
	 * Delete the custom resource and wait until it is no longer served.
	 */
	public void deleteCustomResource() throws IOException, InterruptedException {
		this.setUp.delete(DEFINITIONS + WIDGETS).expectSuccess();
		await(WatchedResource.WIDGETS.path(), 404);
		await(DEFINITIONS + WIDGETS, 404);
	}

	/**
	 * Create a namespace with objects of all resources.
	 */
	public void createNamespace(String name, int objects) throws IOException, InterruptedException {
		this.setUp.post(NAMESPACES, "{\"metadata\": {\"name\": \"%s\"}}".formatted(name)).expectSuccess();
		for (WatchedResource resource : WatchedResource.ofEveryClient()) {
			for (int i = 0; i < objects; i++) {
				new TestObject(resource, name, "object-" + i, 100).create(this.setUp);
			}
		}
	}

	/**
	 * Delete one, change one and create one of the objects of {@link #createNamespace},
	 * of each resource.
	 */
	public void changeNamespace(String name) throws IOException, InterruptedException {
		for (WatchedResource resource : WatchedResource.ofEveryClient()) {
			new TestObject(resource, name, "object-0", 100).delete(this.setUp);
			new TestObject(resource, name, "object-1", 100).change(this.setUp, 1).expectSuccess();
			new TestObject(resource, name, "object-new", 100).create(this.setUp);
		}
	}

	/**
	 * Delete a namespace and wait for its end, which needs controllers.
	 */
	public void deleteNamespace(String name) throws IOException, InterruptedException {
		this.setUp.delete(NAMESPACES + "/" + name).expectSuccess();
		await(NAMESPACES + "/" + name, 404);
	}

	private void await(String path, int status) throws IOException, InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (this.setUp.get(path).status() != status) {
			if (System.nanoTime() > end) {
				throw new IOException("Timed out: " + path + " does not return " + status);
			}
			TimeUnit.MILLISECONDS.sleep(50);
		}
	}

	/**
	 * Create or change large ConfigMaps.
	 * @param size their size in bytes
	 */
	public void writeLargeObjects(int count, int size, long content) throws IOException, InterruptedException {
		for (int i = 0; i < count; i++) {
			TestObject object = new TestObject(WatchedResource.CONFIG_MAPS, NAMESPACE, "huge-" + i, size);
			object.create(this.setUp);
			object.change(this.setUp, content).expectSuccess();
		}
	}

	/**
	 * Delete the objects of {@link #writeLargeObjects}.
	 */
	public void deleteLargeObjects(int count) throws IOException, InterruptedException {
		for (int i = 0; i < count; i++) {
			new TestObject(WatchedResource.CONFIG_MAPS, NAMESPACE, "huge-" + i, 0).delete(this.setUp);
		}
	}

	/**
	 * Return the access of the client to the API server.
	 */
	public ClientAccess access() {
		return this.access;
	}

	/**
	 * Create the objects that {@link #mark} changes, where they are missing.
	 */
	public void createMarkers() throws IOException, InterruptedException {
		for (WatchedResource resource : WatchedResource.ofEveryClient()) {
			marker(resource).create(this.setUp);
		}
	}

	/**
	 * Change an object of each resource.
	 */
	public ObjectStates mark() throws IOException, InterruptedException {
		ObjectStates states = new ObjectStates();
		for (WatchedResource resource : WatchedResource.ofEveryClient()) {
			JsonNode metadata = marker(resource).change(this.api, ++this.round).expectSuccess().json().path("metadata");
			states.add(resource, NAMESPACE, "marker", metadata.path("uid").asString(),
					metadata.path("resourceVersion").asString());
		}
		return states;
	}

	/**
	 * Return the holder of the Lease of replicas.
	 * @return the identity, empty for none
	 */
	public String leaseHolder() throws IOException, InterruptedException {
		JsonNode lease = this.setUp.get(LEASES + "/" + LEASE).expectSuccess().json();
		return lease.path("spec").path("holderIdentity").asString("");
	}

	/**
	 * Return the user of a replica.
	 * @param number the number of the replica, from 0
	 */
	public static String replica(int number) {
		return "replica-" + number;
	}

	/**
	 * Connect a replica with the rights of the client.
	 * @param number the number of the replica, from 0
	 * @param port the port of its proxy
	 */
	public Connection connectReplica(int number, int port) throws IOException, InterruptedException {
		String user = replica(number);
		return this.access.connectReplica(user, this.controlPlane.token(user), port);
	}

	/**
	 * Remove the labels or the annotations of the Lease of a member.
	 * @param field {@code labels} or {@code annotations}
	 * @return their JSON
	 */
	public String removeFromLease(String member, String field) throws IOException, InterruptedException {
		JsonNode lease = lease(member);
		changeLease(lease, field, "null");
		return lease.path("metadata").path(field).toString();
	}

	/**
	 * Set the labels or the annotations of the Lease of a member if it has none.
	 * @param field {@code labels} or {@code annotations}
	 * @param json their JSON
	 */
	public void restoreToLease(String member, String field, String json) throws IOException, InterruptedException {
		JsonNode lease = lease(member);
		if (lease.path("metadata").path(field).isEmpty()) {
			changeLease(lease, field, json);
		}
	}

	private void changeLease(JsonNode lease, String field, String json) throws IOException, InterruptedException {
		this.setUp
			.patch(LEASES + "/" + lease.path("metadata").path("name").asString(),
					"{\"metadata\": {\"%s\": %s}}".formatted(field, json))
			.expectSuccess();
	}

	private JsonNode lease(String member) throws IOException, InterruptedException {
		for (JsonNode lease : this.setUp.get(LEASES).expectSuccess().json().path("items")) {
			if (lease.path("spec").path("holderIdentity").asString("").equals(member)) {
				return lease;
			}
		}
		throw new IOException("No Lease of member " + member);
	}

	private static TestObject marker(WatchedResource resource) {
		return new TestObject(resource, NAMESPACE, "marker", 100);
	}

	/**
	 * Return the port of the API server.
	 */
	public int port() {
		return this.controlPlane.url().getPort();
	}

	/**
	 * Return the control plane.
	 */
	public ControlPlane controlPlane() {
		return this.controlPlane;
	}

	/**
	 * Replace the control plane by a standby with the data of its last backup. All direct
	 * requests go to the standby from then on.
	 * @return the former control plane, to be closed by the caller
	 */
	public ControlPlane failOver() {
		ControlPlane former = this.controlPlane;
		ControlPlane standby = former.startStandby();
		this.api.use(standby);
		this.setUp.use(standby);
		this.controlPlane = standby;
		return former;
	}

	/**
	 * Return the direct access to the API server.
	 */
	public ApiServerClient api() {
		return this.api;
	}

	/**
	 * Return the highest resource version of the server.
	 */
	public long version() throws IOException, InterruptedException {
		return this.setUp.get(WatchedResource.PODS.path() + "?limit=1")
			.expectSuccess()
			.json()
			.path("metadata")
			.path("resourceVersion")
			.asLong();
	}

	/**
	 * Return the second API server.
	 * @throws IllegalStateException if the scenario does not need one
	 */
	public SecondServer second() {
		SecondServer server = this.second;
		if (server == null) {
			throw new IllegalStateException("Cannot use a second server: not requested by the needs of the scenario");
		}
		return server;
	}

	@Override
	public void close() {
		SecondServer server = this.second;
		if (server != null) {
			server.close();
		}
		this.controlPlane.close();
	}

}
