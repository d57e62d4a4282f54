/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.time.OffsetDateTime;
import java.util.Optional;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

@CustomResource(group = "example.com", version = "v1", plural = "tenants")
public class Tenant implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	private TenantSpec spec;

	private TenantStatus status;

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

	public Optional<String> plan() {
		return Optional.ofNullable(this.spec).map((spec) -> spec.plan);
	}

	public Optional<OffsetDateTime> readySince() {
		return Optional.ofNullable(this.status).map((status) -> status.readySince);
	}

	public void readySince(OffsetDateTime time) {
		if (this.status == null) {
			this.status = new TenantStatus();
		}
		this.status.readySince = time;
	}

	public static class TenantSpec {

		private String plan;

	}

	public static class TenantStatus {

		private OffsetDateTime readySince;

	}

}
