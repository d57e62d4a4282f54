/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Crossplane, cluster-scoped, with values of any type in records.
 */
@CustomResource(group = "apiextensions.crossplane.io", version = "v1", plural = "compositions", namespaced = false)
class Composition implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	Spec spec;

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

	record Spec(HashMap<String, String> compositeTypeRef, String mode, List<Step> pipeline) {
	}

	record Step(String step, Map<?, ?> functionRef, Object input) {
	}

}
