/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Cluster-scoped custom resource of the tests, with a definition.
 */
@CustomResource(group = "example.com", version = "v1", plural = "workspaces", namespaced = false)
final class Workspace implements KubernetesObject {

	static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "workspaces.example.com"},
			 "spec": {"group": "example.com", "scope": "Cluster",
			  "names": {"plural": "workspaces", "singular": "workspace", "kind": "Workspace", "listKind": "WorkspaceList"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			    "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
			    "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}}}]}}""";

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private @Nullable Size spec;

	private @Nullable Size status;

	static Workspace of(String name, int replicas) {
		Workspace workspace = new Workspace();
		workspace.metadata = new V1ObjectMeta().name(name);
		workspace.spec = new Size();
		workspace.spec.replicas = replicas;
		return workspace;
	}

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	int replicas() {
		return (this.spec != null) ? this.spec.replicas : 0;
	}

	void replicas(int replicas) {
		this.spec = new Size();
		this.spec.replicas = replicas;
	}

	int observed() {
		return (this.status != null) ? this.status.replicas : -1;
	}

	void observed(int replicas) {
		this.status = new Size();
		this.status.replicas = replicas;
	}

	static final class Size {

		int replicas;

	}

}
