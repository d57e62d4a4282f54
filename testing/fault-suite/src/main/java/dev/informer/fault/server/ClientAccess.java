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
import java.nio.file.StandardOpenOption;

import dev.informer.fault.client.Connection;
import dev.informer.fault.server.ApiServerClient.Answer;
import dev.informer.test.cluster.ControlPlane;

/**
 * Access of the client to the API server: its rights, its token, and the certificates
 * that it trusts.
 */
public final class ClientAccess {

	private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

	private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

	private static final String ACCOUNTS = "/api/v1/namespaces/" + Cluster.NAMESPACE + "/serviceaccounts";

	private final ApiServerClient api;

	private final Path folder;

	/**
	 * Create an access without rights.
	 * @param api the access of the suite to the server
	 * @param folder the folder for files of the client
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
				           {"apiGroups": ["fault.informer.dev"], "resources": ["widgets"], "verbs": ["list", "watch"]},
				           {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
				            "verbs": ["get", "list", "watch", "create", "update", "delete"]}]}
				""").expectSuccess();
		grant();
	}

	/**
	 * Trust a control plane.
	 */
	void trust(ControlPlane controlPlane) throws IOException {
		trust(new String(controlPlane.caCertificate(), StandardCharsets.UTF_8));
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
		useToken(answer.json().path("status").path("token").asString());
	}

	/**
	 * Delete the service account, so that the server rejects its tokens.
	 * @throws IOException if the server rejects the request
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void revokeToken() throws IOException, InterruptedException {
		this.api.delete(ACCOUNTS + "/client").expectSuccess();
	}

	/**
	 * Write a token to the file of the client.
	 */
	void useToken(String token) throws IOException {
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
		Files.writeString(file, certificate, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	/**
	 * Return the connection of the client.
	 * @param port the port of the proxy
	 * @return the connection
	 */
	public Connection connection(int port) {
		return new Connection("https://127.0.0.1:" + port, this.folder.resolve("ca.crt"), this.folder.resolve("token"));
	}

}
