/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

	/** The namespace of the gadgets and of the objects that replicas create for them. */
	public static final String GADGETS = "gadgets";

	/** The finalizer of gadgets. */
	public static final String FINALIZER = "fault.informer.dev/gadget";

	/** Annotation of a Secret of a gadget: the time at which its call began. */
	public static final String CALL = "fault.informer.dev/call";

	/** Key of the objects whose changes mark a point in time. */
	public static final String MARKER = NAMESPACE + "/marker";

	/** Name of the Lease of replicas, and of their group. */
	public static final String LEASE = "replica";

	private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases";

	private static final String NAMESPACES = "/api/v1/namespaces";

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String SECRETS = WatchedResource.SECRETS.path(GADGETS);

	private static final String QUOTA = "/api/v1/namespaces/" + GADGETS + "/resourcequotas";

	private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

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
		ControlPlaneBuilder builder = ControlPlane.fromEnvironment();
		users().forEach((user) -> builder.user(user, UUID.randomUUID().toString()));
		needs.flags().forEach(builder::apiServerFlag);
		this.controlPlane = (needs.controllers() ? builder.living(1) : builder).start();
		this.api = new ApiServerClient(this.controlPlane, ApiServerClient.SHORT);
		this.setUp = new ApiServerClient(this.controlPlane, ApiServerClient.LONG);
		this.access = new ClientAccess(this.setUp, folder);
		try {
			prepare();
			this.second = needs.secondServer() ? SecondServer.start(this.controlPlane, users(), needs.flags()) : null;
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

	private static List<String> users() {
		return Stream.concat(Stream.of(USER), IntStream.range(0, REPLICAS).mapToObj(Cluster::replica)).toList();
	}

	private void prepare() throws IOException, InterruptedException {
		createNamespace(NAMESPACE, 0);
		customResource(WatchedResource.WIDGETS, true, "v1");
		this.access.allow();
		createMarkers();
		this.access.trust(this.controlPlane);
		this.access.rotateToken();
	}

	/**
	 * Create or change a custom resource, and wait until its first version is served or
	 * not.
	 * @param resource the resource
	 * @param firstServed whether version {@code v1}, which the clients watch, is served
	 * @param storage the version in which objects are stored, {@code v1} or {@code v2}
	 */
	public void customResource(WatchedResource resource, boolean firstServed, String storage)
			throws IOException, InterruptedException {
		String version = """
				{"name": "%s", "served": %s, "storage": %s,
				 "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}
				""";
		String definition = """
				{"metadata": {"name": "%s.fault.informer.dev"},
				 "spec": {"group": "fault.informer.dev", "scope": "Namespaced",
				          "names": {"plural": "%s", "kind": "%s"}, "versions": [%s, %s]}}
				""".formatted(resource.plural(), resource.plural(), kind(resource),
				version.formatted("v1", firstServed, storage.equals("v1")),
				version.formatted("v2", true, storage.equals("v2")));
		Answer created = this.setUp.post(DEFINITIONS, definition);
		((created.status() == 409) ? this.setUp.patch(definition(resource), definition) : created).expectSuccess();
		await(resource.path(), firstServed ? 200 : 404);
	}

	private static String kind(WatchedResource resource) {
		return (resource == WatchedResource.GADGETS) ? "Gadget" : "Widget";
	}

	private static String definition(WatchedResource resource) {
		return DEFINITIONS + "/" + resource.plural() + ".fault.informer.dev";
	}

	/**
	 * Delete a custom resource and wait until it is no longer served.
	 */
	public void deleteCustomResource(WatchedResource resource) throws IOException, InterruptedException {
		this.setUp.delete(definition(resource)).expectSuccess();
		await(resource.path(), 404);
		await(definition(resource), 404);
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

	/**
	 * Begin to delete the namespace of the gadgets: nothing can be created in it.
	 */
	public void terminateGadgets() throws IOException, InterruptedException {
		this.setUp.delete(NAMESPACES + "/" + GADGETS).expectSuccess();
	}

	/**
	 * Delete what the namespace of the gadgets contains, as the controller of namespaces
	 * does, and create the namespace again.
	 */
	public void recreateGadgets() throws IOException, InterruptedException {
		for (WatchedResource resource : List.of(WatchedResource.GADGETS, WatchedResource.SECRETS)) {
			this.setUp.delete(resource.path(GADGETS)).expectSuccess();
			await("no " + resource.plural(), () -> isEmpty(resource));
		}
		this.setUp.put(NAMESPACES + "/" + GADGETS + "/finalize", """
				{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}, "spec": {}}
				""".formatted(GADGETS)).expectSuccess();
		await(NAMESPACES + "/" + GADGETS, 404);
		createNamespace(GADGETS, 0);
	}

	private boolean isEmpty(WatchedResource resource) throws IOException, InterruptedException {
		return this.setUp.get(resource.path(GADGETS)).expectSuccess().json().path("items").isEmpty();
	}

	/**
	 * Deny by a quota that Secrets are created for gadgets. The suite itself writes what
	 * the controller of quotas would.
	 */
	public void denyByQuota() throws IOException, InterruptedException {
		this.setUp.post(QUOTA, "{\"metadata\": {\"name\": \"none\"}, \"spec\": {\"hard\": {\"secrets\": \"0\"}}}")
			.expectSuccess();
		this.setUp.patch(QUOTA + "/none/status", """
				{"status": {"hard": {"secrets": "0"}, "used": {"secrets": "0"}}}
				""").expectSuccess();
		awaitCreatable(false);
	}

	/**
	 * End {@link #denyByQuota}.
	 */
	public void allowByQuota() throws IOException, InterruptedException {
		this.setUp.delete(QUOTA + "/none").expectSuccess();
		awaitCreatable(true);
	}

	/**
	 * Deny by an admission policy that Secrets are created for gadgets.
	 */
	public void denyByPolicy() throws IOException, InterruptedException {
		this.setUp.post(POLICIES, """
				{"metadata": {"name": "no-secrets"},
				 "spec": {"matchConstraints": {
				            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "%s"}},
				            "resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
				                               "resources": ["secrets"]}]},
				          "validations": [{"expression": "false"}]}}
				""".formatted(GADGETS)).expectSuccess();
		this.setUp.post(POLICIES.replace("policies", "policybindings"), """
				{"metadata": {"name": "no-secrets"},
				 "spec": {"policyName": "no-secrets", "validationActions": ["Deny"]}}
				""").expectSuccess();
		awaitCreatable(false);
	}

	/**
	 * End {@link #denyByPolicy}.
	 */
	public void allowByPolicy() throws IOException, InterruptedException {
		this.setUp.delete(POLICIES.replace("policies", "policybindings") + "/no-secrets").expectSuccess();
		this.setUp.delete(POLICIES + "/no-secrets").expectSuccess();
		awaitCreatable(true);
	}

	private void awaitCreatable(boolean creatable) throws IOException, InterruptedException {
		await("Secrets for gadgets, created " + creatable,
				() -> (this.setUp.post(SECRETS + "?dryRun=All", "{\"metadata\": {\"name\": \"probe\"}}")
					.status() < 300) == creatable);
	}

	private void await(String path, int status) throws IOException, InterruptedException {
		await(path + " returns " + status, () -> this.setUp.get(path).status() == status);
	}

	private static void await(String description, Condition condition) throws IOException, InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (!condition.holds()) {
			if (System.nanoTime() > end) {
				throw new IOException("Timed out: " + description);
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

	private interface Condition {

		boolean holds() throws IOException, InterruptedException;

	}

}
