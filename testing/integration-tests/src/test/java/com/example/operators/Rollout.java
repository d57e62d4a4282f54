/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;

/**
 * Of Argo Rollouts, as plain fields with official models and trees of Gson.
 */
@CustomResource(group = "argoproj.io", version = "v1alpha1", plural = "rollouts")
class Rollout implements KubernetesObject {

	public String apiVersion;

	public String kind;

	public V1ObjectMeta metadata;

	public Spec spec;

	public Status status;

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

	static class Spec {

		Integer replicas;

		short revisionHistoryLimit = 10;

		V1LabelSelector selector;

		V1PodTemplateSpec template;

		Strategy strategy;

	}

	static class Strategy {

		Canary canary;

	}

	static class Canary {

		String canaryService;

		String stableService;

		IntOrString maxSurge;

		List<Step> steps;

		Map<String, JsonElement> trafficRouting;

	}

	static class Step {

		Byte setWeight;

		Pause pause;

		JsonElement setHeaderRoute;

		JsonObject setCanaryScale;

	}

	static class Pause {

		IntOrString duration;

	}

	static class Status {

		@SerializedName("HPAReplicas")
		int hpaReplicas;

		List<Condition> conditions;

		boolean controllerPause;

	}

	static class Condition {

		String type;

		String status;

		String reason = "";

		String message = "";

		OffsetDateTime lastTransitionTime;

		OffsetDateTime lastUpdateTime;

	}

}
