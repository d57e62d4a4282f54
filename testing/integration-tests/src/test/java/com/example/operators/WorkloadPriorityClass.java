/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Kueue, without a spec.
 */
@CustomResource(group = "kueue.x-k8s.io", version = "v1beta2", plural = "workloadpriorityclasses", namespaced = false)
final class WorkloadPriorityClass implements KubernetesObject {

	String apiVersion;

	String kind;

	V1ObjectMeta metadata;

	int value;

	String description;

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

}
