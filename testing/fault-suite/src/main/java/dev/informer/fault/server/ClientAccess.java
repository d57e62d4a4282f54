/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

import dev.informer.fault.client.Connection;
import dev.informer.fault.server.ApiServerClient.Answer;
import dev.informer.test.cluster.ControlPlane;
import org.jspecify.annotations.Nullable;

/**
 * Access of the client to the API server: its rights, its token, and the certificates
 * that it trusts.
 */
public final class ClientAccess {

	private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

	private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

	private static final String ACCOUNTS = "/api/v1/namespaces/" + Cluster.NAMESPACE + "/serviceaccounts";

	private static final String TOKEN = "token";

	private static final String CERTIFICATES = "ca.crt";

	private final ApiServerClient api;

	private final Path folder;

	private @Nullable ExecPlugin plugin;

	/**
	 * Create an access without rights.
	 */
	ClientAccess(ApiServerClient api, Path folder) {
		this.api = api;
		this.folder = folder;
	}

	/**
	 * Create the role of the client and grant it.
	 */
	void allow() throws IOException, InterruptedException {
		this.api.post(ROLES, """
				{"metadata": {"name": "client"},
				 "rules": [{"apiGroups": [""], "resources": ["configmaps", "pods", "secrets"],
				            "verbs": ["list", "watch"]},
				           {"apiGroups": ["fault.informer.dev"], "resources": ["widgets", "gadgets"],
				            "verbs": ["list", "watch"]},
				           {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
				            "verbs": ["get", "list", "create", "update", "delete"]}]}
				""").expectSuccess();
		this.api.post(ROLES, """
				{"metadata": {"name": "lease-watcher"},
				 "rules": [{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["watch"]}]}
				""").expectSuccess();
		this.api.post(ROLES, """
				{"metadata": {"name": "gadget-writer"},
				 "rules": [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["create", "delete"]},
				           {"apiGroups": ["fault.informer.dev"], "resources": ["gadgets"], "verbs": ["patch"]}]}
				""").expectSuccess();
		grant();
	}

	/**
	 * Grant the rights of the client to a replica, which is a separate user.
	 * @param port the port of the proxy of the replica
	 */
	public Connection connectReplica(String user, String token, int port) throws IOException, InterruptedException {
		bind(user, "client", user);
		grantLeaseWatch(user);
		grantWrites(user);
		Path file = this.folder.resolve("token-" + user);
		CompleteFile.write(file, token);
		return new Connection("https://127.0.0.1:" + port, this.folder.resolve(CERTIFICATES), file, null);
	}

	/**
	 * Grant a replica the right to watch Leases.
	 */
	public void grantLeaseWatch(String user) throws IOException, InterruptedException {
		bind(user + "-lease-watcher", "lease-watcher", user);
	}

	/**
	 * Revoke the right of a replica to watch Leases. It can list and write them.
	 */
	public void revokeLeaseWatch(String user) throws IOException, InterruptedException {
		this.api.delete(BINDINGS + "/" + user + "-lease-watcher").expectSuccess();
	}

	/**
	 * Grant a replica the rights to write for gadgets.
	 */
	public void grantWrites(String user) throws IOException, InterruptedException {
		bind(user + "-gadget-writer", "gadget-writer", user);
	}

	/**
	 * Revoke the rights of a replica to write for gadgets.
	 */
	public void revokeWrites(String user) throws IOException, InterruptedException {
		this.api.delete(BINDINGS + "/" + user + "-gadget-writer").expectSuccess();
	}

	private void bind(String name, String role, String user) throws IOException, InterruptedException {
		this.api.post(BINDINGS, """
				{"metadata": {"name": "%s"},
				 "subjects": [{"kind": "User", "name": "%s", "apiGroup": "rbac.authorization.k8s.io"}],
				 "roleRef": {"kind": "ClusterRole", "name": "%s", "apiGroup": "rbac.authorization.k8s.io"}}
				""".formatted(name, user, role)).expectSuccess();
	}

	/**
	 * Trust a control plane.
	 */
	void trust(ControlPlane controlPlane) throws IOException {
		trust(new String(controlPlane.caCertificate(), StandardCharsets.UTF_8));
	}

	/**
	 * Grant the rights of the client.
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
	 */
	public void revoke() throws IOException, InterruptedException {
		this.api.delete(BINDINGS + "/client").expectSuccess();
	}

	/**
	 * Create a service account and write its token to the file of the client.
	 */
	public void rotateToken() throws IOException, InterruptedException {
		this.api.post(ACCOUNTS, "{\"metadata\": {\"name\": \"client\"}}").expectSuccess();
		Answer answer = this.api.post(ACCOUNTS + "/client/token", """
				{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
				 "spec": {"expirationSeconds": 36000}}
				""").expectSuccess();
		useToken(answer.json().path("status").path("token").asString());
	}

	/**
	 * Delete the service account, so that the server rejects its tokens.
	 */
	public void revokeToken() throws IOException, InterruptedException {
		this.api.delete(ACCOUNTS + "/client").expectSuccess();
	}

	/**
	 * Write a token to the file of the client.
	 */
	void useToken(String token) throws IOException {
		CompleteFile.write(this.folder.resolve(TOKEN), token);
	}

	/**
	 * Add a trusted certificate to the file of the client.
	 * @param certificate the certificate in PEM format
	 */
	public void trust(String certificate) throws IOException {
		CompleteFile.append(this.folder.resolve(CERTIFICATES), certificate);
	}

	/**
	 * Return the connection of the client.
	 * @param host the host of the proxy
	 * @param port the port of the proxy
	 */
	public Connection connection(String host, int port) {
		return new Connection("https://" + host + ":" + port, this.folder.resolve(CERTIFICATES),
				this.folder.resolve(TOKEN), null);
	}

	/**
	 * Return the exec plugin of the client, which exists after
	 * {@link #connectionWithPlugin}.
	 */
	public ExecPlugin plugin() {
		return Objects.requireNonNull(this.plugin, "not requested by the needs of the scenario");
	}

	/**
	 * Create an exec plugin, and return the connection of the client with a kubeconfig
	 * that names it.
	 * @param host the host of the proxy
	 * @param port the port of the proxy
	 */
	public Connection connectionWithPlugin(String host, int port) throws IOException {
		ExecPlugin created = new ExecPlugin(this.folder, this.folder.resolve(TOKEN));
		this.plugin = created;
		return created.connection(connection(host, port));
	}

}
