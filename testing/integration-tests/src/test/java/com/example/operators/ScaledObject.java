/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.informer.client.CustomResource;

/**
 * Of KEDA, immutable with creators and values of Jackson.
 */
@CustomResource(group = "keda.sh", version = "v1alpha1", plural = "scaledobjects")
@JsonIgnoreProperties(ignoreUnknown = true)
class ScaledObject extends Resource<ScaledObject.Spec, ScaledObject.Status> {

	static final class Spec {

		private final Target target;

		private final Seconds pollingInterval;

		private final Seconds cooldownPeriod;

		private final Integer minReplicaCount;

		@JsonAlias("maximum")
		private Integer maxReplicaCount;

		private final List<Trigger> triggers;

		@JsonCreator
		Spec(@JsonProperty("scaleTargetRef") Target target, @JsonProperty("pollingInterval") Seconds pollingInterval,
				@JsonProperty("cooldownPeriod") Seconds cooldownPeriod,
				@JsonProperty("minReplicaCount") Integer minReplicaCount,
				@JsonProperty("maxReplicaCount") Integer maxReplicaCount,
				@JsonProperty("triggers") List<Trigger> triggers) {
			this.target = target;
			this.pollingInterval = pollingInterval;
			this.cooldownPeriod = cooldownPeriod;
			this.minReplicaCount = minReplicaCount;
			this.maxReplicaCount = maxReplicaCount;
			this.triggers = triggers;
		}

		@JsonProperty("scaleTargetRef")
		Target getTarget() {
			return this.target;
		}

		void maximum(int count) {
			this.maxReplicaCount = count;
		}

	}

	record Target(@JsonInclude(JsonInclude.Include.NON_EMPTY) String apiVersion, String kind, String name) {
	}

	record Trigger(String type, @JsonProperty("metadata") Map<String, String> settings) {
	}

	record Seconds(@JsonValue int value) {

		@JsonCreator
		Seconds {
			if (value < 0) {
				throw new IllegalArgumentException("negative");
			}
		}

	}

	record Status(Map<String, Health> health, List<Name> externalMetricNames, Map<String, Object> scaleTargetGVKR,
			@JsonProperty("hpaName") String autoscaler) {
	}

	record Health(int numberOfFailures, HealthState status) {
	}

	record Name(String text) {

		@JsonCreator
		static Name of(String text) {
			return new Name(text);
		}

		@JsonValue
		@Override
		public String toString() {
			return this.text;
		}

	}

	enum HealthState {

		@JsonProperty("Happy")
		@JsonAlias("happy")
		HAPPY,

		@JsonProperty("Failing")
		FAILING

	}

}
