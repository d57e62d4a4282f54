/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.writing;

import java.util.ArrayList;
import java.util.List;

import dev.informer.ObjectCopy;
import dev.informer.client.CustomResource;
import dev.informer.writer.Conditions;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.NullUnmarked;

final class TenantConditions {

	private final ObjectWriter writer;

	TenantConditions(ObjectWriter writer) {
		this.writer = writer;
	}

	void ready(Tenant tenant, boolean ready) throws ApiException {
		Tenant copy = ObjectCopy.of(tenant);
		boolean changed = Conditions.set(copy.getStatus().getConditions(),
				new V1Condition().type("Ready")
					.status(ready ? "True" : "False")
					.reason(ready ? "AllCopied" : "CopiesMissing")
					.observedGeneration(tenant.getMetadata().getGeneration()));
		if (changed) {
			this.writer.updateStatus(copy);
		}
	}

	/**
	 * Tenant with conditions.
	 */
	@NullUnmarked
	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static final class Tenant implements KubernetesObject {

		private String apiVersion;

		private String kind;

		private V1ObjectMeta metadata;

		private TenantStatus status = new TenantStatus();

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		TenantStatus getStatus() {
			return this.status;
		}

	}

	/**
	 * Status of a tenant.
	 */
	static final class TenantStatus {

		private List<V1Condition> conditions = new ArrayList<>();

		List<V1Condition> getConditions() {
			return this.conditions;
		}

	}

}
