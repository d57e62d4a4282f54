/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import dev.informer.client.CustomResource;
import dev.informer.testing.PlainObject;
import org.jspecify.annotations.Nullable;

/**
 * Cluster-scoped custom resource of the tests, with a definition.
 */
@CustomResource(group = "example.com", version = "v1", plural = "workspaces", namespaced = false)
public final class Workspace extends PlainObject {

	public static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "workspaces.example.com"},
			 "spec": {"group": "example.com", "scope": "Cluster",
			  "names": {"plural": "workspaces", "singular": "workspace", "kind": "Workspace", "listKind": "WorkspaceList"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			    "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
			    "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}}}]}}""";

	private @Nullable Size spec;

	private @Nullable Size status;

	public static Workspace of(String name, int replicas) {
		Workspace workspace = new Workspace();
		workspace.getMetadata().name(name);
		workspace.spec = new Size();
		workspace.spec.replicas = replicas;
		return workspace;
	}

	public int replicas() {
		return (this.spec != null) ? this.spec.replicas : 0;
	}

	public void replicas(int replicas) {
		this.spec = new Size();
		this.spec.replicas = replicas;
	}

	public int observed() {
		return (this.status != null) ? this.status.replicas : -1;
	}

	public void observed(int replicas) {
		this.status = new Size();
		this.status.replicas = replicas;
	}

	static final class Size {

		int replicas;

	}

}
