/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.informer.test.apply.Writer;
import dev.informer.test.http.EmbeddedHttpServer;
import dev.informer.test.http.RequestDispatcher;
import dev.informer.test.http.RequestLog;
import dev.informer.test.http.Watches;
import dev.informer.test.operations.ObjectOperations;
import dev.informer.test.operations.Propagation;
import dev.informer.test.store.Json;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.Store;
import dev.informer.test.store.StoredObject;
import dev.informer.test.store.StoredObjectKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kubernetes API server that runs in this process. It serves the real protocol over
 * HTTP/1.1 on a loopback port and keeps its objects in memory. Lists, watches, reads and
 * writes are supported for all resources of the official client and for custom resources.
 * <p>
 * It has a garbage collector, but no other controllers, no scheduler and no kubelet. It
 * sets defaults for Deployments, StatefulSets, Services and custom resources only, and
 * validates nothing of an object but its type, name and namespace. Server-side apply,
 * merge patches (RFC 7386) and JSON patches (RFC 6902) are supported; strategic merge
 * patches are answered with 415.
 * <p>
 * The methods of this class that write objects bypass HTTP. They accept JSON text, maps,
 * trees and models of the official client. In contrast to a request, they write an object
 * together with its status, and its fields have no owners before someone applies it. They
 * throw {@link KubernetesStatusException} where a request would be rejected, and
 * {@link IllegalArgumentException} if the argument is not an object or its resource is
 * not served.
 * <p>
 * Thread-safe. {@link #close()} closes all connections and ends all threads.
 */
public final class EmbeddedKubernetes implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedKubernetes.class);

	private final EmbeddedKubernetesOptions options;

	private final ResourceTable table = new ResourceTable();

	private final Store store;

	private final ObjectOperations operations;

	private final Watches watches;

	private final RequestLog log = new RequestLog();

	private final EmbeddedHttpServer server;

	private final Faults faults;

	private final Access access;

	private EmbeddedKubernetes(EmbeddedKubernetesOptions options) {
		this.options = options;
		this.store = new Store(options.historySize());
		this.operations = new ObjectOperations(this.store, this.table, options.garbageCollection());
		for (String namespace : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
			create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", namespace)));
		}
		this.access = new Access(options.token(), options.users());
		this.watches = new Watches(this.store, options.streamingLists(), options.watchTimeout(),
				options.bookmarkInterval());
		RequestDispatcher dispatcher = new RequestDispatcher(this.access::check, this.table, this.store,
				this.operations, this.watches, this.log);
		this.server = new EmbeddedHttpServer(options.port(), dispatcher);
		this.faults = new Faults(this.server, this.watches);
		dispatcher.interceptor(this.faults::answer);
	}

	/**
	 * Start a server on a free loopback port.
	 * @return the running server, with the default namespaces of a cluster
	 */
	public static EmbeddedKubernetes start() {
		return start((options) -> {
		});
	}

	/**
	 * Start a server.
	 * @param customizer the callback that sets options
	 * @return the running server, with the default namespaces of a cluster
	 */
	public static EmbeddedKubernetes start(Consumer<EmbeddedKubernetesOptions> customizer) {
		EmbeddedKubernetesOptions options = new EmbeddedKubernetesOptions();
		customizer.accept(options);
		EmbeddedKubernetes kubernetes = new EmbeddedKubernetes(options);
		logger.atDebug().addKeyValue("url", kubernetes.url()).log("Embedded Kubernetes API server started");
		return kubernetes;
	}

	/**
	 * Return the URL of the server.
	 * @return the URL, for instance {@code http://127.0.0.1:20123}
	 */
	public String url() {
		return "http://127.0.0.1:" + this.server.port();
	}

	/**
	 * Return a kubeconfig whose current context is this server and the namespace {@code
	 * default}. Its user has the token set by {@link EmbeddedKubernetesOptions#token};
	 * without one it is the first {@link EmbeddedKubernetesOptions#user user} that was
	 * added.
	 * @return the kubeconfig as YAML
	 */
	public String kubeconfig() {
		if (this.options.token() != null) {
			return kubeconfig(Access.OWNER);
		}
		return this.options.users()
			.keySet()
			.stream()
			.findFirst()
			.map(this::kubeconfig)
			.orElseGet(() -> Kubeconfig.of(url(), null));
	}

	/**
	 * Return a kubeconfig for a user, with the current token of that user.
	 * @param user the name of the user
	 * @return the kubeconfig as YAML
	 * @throws IllegalArgumentException if the user is unknown
	 */
	public String kubeconfig(String user) {
		return Kubeconfig.of(url(), this.access.tokenOf(user));
	}

	/**
	 * Create an object. The namespace defaults to {@code default}, and has to exist.
	 * @param object the object, with {@code apiVersion} and {@code kind}
	 * @return the created object
	 * @throws KubernetesStatusException if the object is rejected, for example because
	 * its namespace does not exist
	 */
	public ObjectNode create(Object object) {
		ObjectNode tree = Json.tree(object);
		ResourceDefinition definition = definition(tree);
		String namespace = namespace(definition, tree);
		try {
			return this.operations.create(definition, namespace, tree, Writer.JAVA, false).tree();
		}
		catch (KubernetesStatusException ex) {
			if (ex.code() != 404) {
				throw ex;
			}
			throw new KubernetesStatusException(ex.status(),
					". Create the namespace before its objects: create(Map.of(\"apiVersion\", \"v1\", \"kind\", "
							+ "\"Namespace\", \"metadata\", Map.of(\"name\", \"" + namespace + "\")))");
		}
	}

	/**
	 * Replace an object including its status. If the object has a resource version, it
	 * must be the current one.
	 * @param object the object, with {@code apiVersion}, {@code kind} and name
	 * @return the updated object
	 */
	public ObjectNode replace(Object object) {
		ObjectNode tree = Json.tree(object);
		ResourceDefinition definition = definition(tree);
		StoredObjectKey key = StoredObjectKey.of(definition, namespace(definition, tree),
				Json.text(tree.path("metadata"), "name"));
		return this.operations.update(definition, key, (previous) -> tree, Writer.JAVA, false).tree();
	}

	/**
	 * Apply a merge patch (RFC 7386) to an object including its status.
	 * @param resource the resource, for instance {@code pods} or {@code deployments.apps}
	 * @param namespace the namespace, {@code null} for cluster-scoped objects
	 * @param name the name
	 * @param patch the patch
	 * @return the updated object
	 */
	public ObjectNode mergePatch(String resource, @Nullable String namespace, String name, Object patch) {
		ResourceDefinition definition = this.table.named(resource);
		ObjectNode tree = Json.tree(patch);
		return this.operations
			.update(definition, StoredObjectKey.of(definition, namespace, name),
					(previous) -> Json.merge(previous, tree), Writer.JAVA, false)
			.tree();
	}

	/**
	 * Delete an object without a grace period. An object with finalizers is marked for
	 * deletion, and removed together with its last finalizer.
	 * @param resource the resource
	 * @param namespace the namespace, {@code null} for cluster-scoped objects
	 * @param name the name
	 */
	public void delete(String resource, @Nullable String namespace, String name) {
		ResourceDefinition definition = this.table.named(resource);
		this.operations.delete(definition, StoredObjectKey.of(definition, namespace, name), Json.object(),
				Propagation.UNSET, false);
	}

	/**
	 * Return an object.
	 * @param resource the resource
	 * @param namespace the namespace, {@code null} for cluster-scoped objects
	 * @param name the name
	 * @return a copy of the object, empty if it does not exist
	 */
	public Optional<ObjectNode> get(String resource, @Nullable String namespace, String name) {
		ResourceDefinition definition = this.table.named(resource);
		return Optional.ofNullable(this.store.get(definition, StoredObjectKey.of(definition, namespace, name)))
			.map(StoredObject::tree);
	}

	/**
	 * Return all objects of a resource.
	 * @param resource the resource
	 * @param namespace the namespace, {@code null} for all namespaces
	 * @return copies of the objects, in the order of a list over HTTP
	 */
	public List<ObjectNode> list(String resource, @Nullable String namespace) {
		ResourceDefinition definition = this.table.named(resource);
		return this.store.locked(() -> this.store.resource(definition).objects((namespace != null) ? namespace : ""))
			.stream()
			.map(StoredObject::tree)
			.toList();
	}

	/**
	 * Serve a custom resource without a CustomResourceDefinition object.
	 * @param definition the resource
	 */
	public void addResource(ResourceDefinition definition) {
		this.table.add(definition);
	}

	/**
	 * Discard all past changes, like a compaction of etcd. Watches from older resource
	 * versions and further pages of older lists are answered with 410. Open watches stay
	 * open.
	 */
	public void compact() {
		this.store.compact();
	}

	/**
	 * Simulate a restart of the server: reset all connections and discard all past
	 * changes, including those of resources that did not change. Objects are kept.
	 */
	public void restart() {
		this.faults.refuseConnections();
		this.store.compact();
		this.faults.acceptConnections();
	}

	/**
	 * Return the resource version of the store, which increases with every change.
	 * @return the resource version
	 */
	public long resourceVersion() {
		return this.store.resourceVersion();
	}

	/**
	 * Return the latest requests, at most 10,000, since the start or the last
	 * {@link #clearRequests()}.
	 * @return the requests, oldest first
	 */
	public List<ReceivedRequest> requests() {
		return this.log.all();
	}

	/**
	 * Return the latest requests with the given verb and resource.
	 * @param verb the verb
	 * @param resource the resource, for instance {@code pods}
	 * @return the requests, oldest first
	 */
	public List<ReceivedRequest> requests(Verb verb, String resource) {
		return requests().stream()
			.filter((request) -> request.verb() == verb && request.resource().equals(resource))
			.toList();
	}

	/**
	 * Clear the recorded requests.
	 */
	public void clearRequests() {
		this.log.clear();
	}

	/**
	 * Return the number of open watches of a resource.
	 * @param resource the resource, for instance {@code pods} or {@code deployments.apps}
	 * @return the number of watches
	 */
	public int openWatches(String resource) {
		return this.watches.count(resource);
	}

	/**
	 * Return the number of open watches.
	 * @return the number of watches
	 */
	public int openWatches() {
		return this.watches.count();
	}

	/**
	 * Return the users of the server and their permissions, which can be changed at any
	 * time.
	 * @return the access control of this server
	 */
	public Access access() {
		return this.access;
	}

	/**
	 * Return the faults of the server, with which tests simulate failures.
	 * @return the faults of this server
	 */
	public Faults faults() {
		return this.faults;
	}

	@Override
	public void close() {
		this.server.close();
	}

	private ResourceDefinition definition(ObjectNode tree) {
		if (Json.text(tree, "kind").equals("PartialObjectMetadata")) {
			throw new IllegalArgumentException(
					"PartialObjectMetadata is the metadata of an object whose kind is unknown. "
							+ "Use an object with this metadata instead, such as a V1Pod.");
		}
		return this.table.forKind(Json.text(tree, "apiVersion"), Json.text(tree, "kind"));
	}

	private static String namespace(ResourceDefinition definition, ObjectNode tree) {
		if (!definition.namespaced()) {
			return "";
		}
		String namespace = Json.text(tree.path("metadata"), "namespace");
		return namespace.isEmpty() ? "default" : namespace;
	}

}
