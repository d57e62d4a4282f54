/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Kubernetes API server within this process. It speaks the real protocol over HTTP/1.1
 * on a loopback port and keeps its objects in memory: lists, watches, reads and writes of
 * every resource that the official client knows, and of custom resources.
 * <p>
 * There is nothing behind it: no controllers, no scheduler, no kubelet, no garbage
 * collection, no defaulting and no validation beyond names. Of patches it knows merge
 * patches (RFC 7386) and JSON patches (RFC 6902); strategic merge patches and server-side
 * apply are refused with 415.
 * <p>
 * The methods that write do so directly, past HTTP. They take objects as JSON text, maps,
 * trees or models of the official client, and differ from requests in one thing: object
 * and status are written together. All methods throw {@link KubernetesStatusException}
 * where a request would be refused, and {@link IllegalArgumentException} for what is not
 * an object or not a resource that is served.
 * <p>
 * Thread-safe. {@link #close()} ends every connection and thread at once.
 */
public final class EmbeddedKubernetes implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedKubernetes.class);

	private final EmbeddedKubernetesOptions options;

	private final ResourceTable table = new ResourceTable();

	private final Store store;

	private final ObjectOperations operations;

	private final Watches watches = new Watches();

	private final RequestLog log = new RequestLog();

	private final EmbeddedHttpServer server;

	private final Faults faults;

	private final Access access;

	private EmbeddedKubernetes(EmbeddedKubernetesOptions options) {
		this.options = options;
		this.store = new Store(options.historySize());
		this.operations = new ObjectOperations(this.store, this.table);
		for (String namespace : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
			create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", namespace)));
		}
		this.access = new Access(options.token(), options.users());
		RequestDispatcher dispatcher = new RequestDispatcher(options, this.access, this.table, this.store,
				this.operations, this.watches, this.log);
		this.server = new EmbeddedHttpServer(options.port(), dispatcher);
		this.faults = new Faults(this.server, this.watches);
		dispatcher.faults(this.faults);
	}

	/**
	 * Starts a server on a free loopback port.
	 * @return the running server, with the namespaces that every cluster has
	 */
	public static EmbeddedKubernetes start() {
		return start((options) -> {
		});
	}

	/**
	 * Starts a server.
	 * @param customizer sets options
	 * @return the running server, with the namespaces that every cluster has
	 */
	public static EmbeddedKubernetes start(Consumer<EmbeddedKubernetesOptions> customizer) {
		EmbeddedKubernetesOptions options = new EmbeddedKubernetesOptions();
		customizer.accept(options);
		EmbeddedKubernetes kubernetes = new EmbeddedKubernetes(options);
		logger.atDebug().addKeyValue("url", kubernetes.url()).log("Embedded Kubernetes API server started");
		return kubernetes;
	}

	/**
	 * Where clients find the server.
	 * @return for instance {@code http://127.0.0.1:40123}
	 */
	public String url() {
		return "http://127.0.0.1:" + this.server.port();
	}

	/**
	 * A kubeconfig file's content whose current context is this server and the namespace
	 * {@code default}. Its user is the one whose token
	 * {@link EmbeddedKubernetesOptions#token} sets.
	 * @return YAML
	 */
	public String kubeconfig() {
		return kubeconfigOf((this.options.token() != null) ? this.access.tokenOf(Access.OWNER) : null);
	}

	/**
	 * A user's kubeconfig file's content, with the token that is good now.
	 * @param user the user's name
	 * @return YAML
	 * @throws IllegalArgumentException when there is no such user
	 */
	public String kubeconfig(String user) {
		return kubeconfigOf(this.access.tokenOf(user));
	}

	private String kubeconfigOf(@Nullable String token) {
		String user = (token != null) ? "\n    token: \"" + token + "\"" : " {}";
		return """
				apiVersion: v1
				kind: Config
				current-context: embedded
				clusters:
				- name: embedded
				  cluster:
				    server: %s
				contexts:
				- name: embedded
				  context:
				    cluster: embedded
				    namespace: default
				    user: embedded
				users:
				- name: embedded
				  user:%s
				""".formatted(url(), user);
	}

	/**
	 * Creates an object. Its namespace is {@code default} when it says none.
	 * @param object the object, with {@code apiVersion} and {@code kind}
	 * @return the object as it is now
	 */
	public ObjectNode create(Object object) {
		ObjectNode tree = Json.tree(object);
		ResourceDefinition definition = definition(tree);
		return this.operations.create(definition, namespace(definition, tree), tree, UpdateScope.EVERYTHING, false)
			.tree();
	}

	/**
	 * Replaces an object, its status included. When it carries a resource version, that
	 * has to be the current one.
	 * @param object the object, with {@code apiVersion}, {@code kind} and name
	 * @return the object as it is now
	 */
	public ObjectNode replace(Object object) {
		ObjectNode tree = Json.tree(object);
		ResourceDefinition definition = definition(tree);
		StoredObjectKey key = StoredObjectKey.of(definition, namespace(definition, tree),
				Json.text(tree.path("metadata"), "name"));
		return this.operations.update(definition, key, (previous) -> tree, UpdateScope.EVERYTHING).tree();
	}

	/**
	 * Applies a merge patch (RFC 7386) to an object, its status included.
	 * @param resource the resource, for instance {@code pods} or {@code deployments.apps}
	 * @param namespace the namespace, {@code null} for objects of the whole cluster
	 * @param name the name
	 * @param patch the patch
	 * @return the object as it is now
	 */
	public ObjectNode mergePatch(String resource, @Nullable String namespace, String name, Object patch) {
		ResourceDefinition definition = this.table.named(resource);
		ObjectNode tree = Json.tree(patch);
		return this.operations
			.update(definition, StoredObjectKey.of(definition, namespace, name),
					(previous) -> Json.merge(previous, tree), UpdateScope.EVERYTHING)
			.tree();
	}

	/**
	 * Deletes an object; one with finalizers stays, marked for deletion, until they have
	 * been removed. There is no grace period.
	 * @param resource the resource
	 * @param namespace the namespace, {@code null} for objects of the whole cluster
	 * @param name the name
	 */
	public void delete(String resource, @Nullable String namespace, String name) {
		ResourceDefinition definition = this.table.named(resource);
		this.operations.delete(definition, StoredObjectKey.of(definition, namespace, name), Json.object());
	}

	/**
	 * Reads an object.
	 * @param resource the resource
	 * @param namespace the namespace, {@code null} for objects of the whole cluster
	 * @param name the name
	 * @return the object, a copy; empty when there is none
	 */
	public Optional<ObjectNode> get(String resource, @Nullable String namespace, String name) {
		ResourceDefinition definition = this.table.named(resource);
		return Optional.ofNullable(this.store.get(definition, StoredObjectKey.of(definition, namespace, name)))
			.map(StoredObject::tree);
	}

	/**
	 * Reads all objects of a resource.
	 * @param resource the resource
	 * @param namespace the namespace, {@code null} for all of them
	 * @return copies, in the order of a list over HTTP
	 */
	public List<ObjectNode> list(String resource, @Nullable String namespace) {
		ResourceDefinition definition = this.table.named(resource);
		return this.store.locked(() -> this.store.resource(definition).objects((namespace != null) ? namespace : ""))
			.stream()
			.map(StoredObject::tree)
			.toList();
	}

	/**
	 * Serves a custom resource without a CustomResourceDefinition object.
	 * @param definition the resource
	 */
	public void addResource(ResourceDefinition definition) {
		this.table.add(definition);
	}

	/**
	 * Forgets all history: watches from older resource versions, and further pages of
	 * older lists, are answered with 410. Open watches go on.
	 */
	public void compact() {
		this.store.compact();
	}

	/**
	 * Does what a restart of the real server does to clients: resets all connections and
	 * forgets all history, also that of idle resources. The objects stay.
	 */
	public void restart() {
		this.faults.refuseConnections();
		this.store.compact();
		this.faults.acceptConnections();
	}

	/**
	 * The store's resource version, which every change makes larger.
	 * @return the version
	 */
	public long resourceVersion() {
		return this.store.resourceVersion();
	}

	/**
	 * The requests received since the start or the last {@link #clearRequests()}, up to
	 * the latest 10,000.
	 * @return the requests, oldest first
	 */
	public List<ReceivedRequest> requests() {
		return this.log.all();
	}

	/**
	 * The requests of a kind.
	 * @param verb what they ask for
	 * @param resource of which resource, for instance {@code pods}
	 * @return the requests, oldest first
	 */
	public List<ReceivedRequest> requests(Verb verb, String resource) {
		return requests().stream()
			.filter((request) -> request.verb() == verb && request.resource().equals(resource))
			.toList();
	}

	/**
	 * Forgets the requests received so far.
	 */
	public void clearRequests() {
		this.log.clear();
	}

	/**
	 * How many watches of a resource are open.
	 * @param resource the resource, for instance {@code pods} or {@code deployments.apps}
	 * @return the number
	 */
	public int openWatches(String resource) {
		return this.watches.count(resource);
	}

	/**
	 * How many watches are open.
	 * @return the number
	 */
	public int openWatches() {
		return this.watches.count();
	}

	/**
	 * Who may use the server, and for what.
	 * @return the rights, which can be changed at any time
	 */
	public Access access() {
		return this.access;
	}

	/**
	 * Makes the server misbehave.
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
