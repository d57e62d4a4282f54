/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.informer.client.CustomResource;
import dev.informer.testing.PlainObject;
import org.jspecify.annotations.Nullable;

/**
 * Custom resource of the tests, with a definition.
 */
@CustomResource(group = "example.com", version = "v1", plural = "tenants")
final class Tenant extends PlainObject {

	static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "tenants.example.com"},
			 "spec": {"group": "example.com", "scope": "Namespaced",
			  "names": {"plural": "tenants", "singular": "tenant", "kind": "Tenant", "listKind": "TenantList"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			    "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
			    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}}""";

	private @Nullable Spec spec;

	private @Nullable Status status;

	static Tenant of(String namespace, String name) {
		Tenant tenant = new Tenant();
		tenant.getMetadata().namespace(namespace).name(name);
		return tenant;
	}

	Spec spec() {
		if (this.spec == null) {
			this.spec = new Spec();
		}
		return this.spec;
	}

	Status status() {
		if (this.status == null) {
			this.status = new Status();
		}
		return this.status;
	}

	static final class Spec {

		@Nullable List<String> admins;

		List<String> zones = new ArrayList<>();

		Set<String> regions = new LinkedHashSet<>();

		@SuppressWarnings("NullAway.Init")
		Ports ports;

		int replicas;

	}

	record Ports(List<Integer> numbers, int[] weights) {
	}

	static final class Status {

		int ready;

	}

}
