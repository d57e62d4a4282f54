/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.informer.client.CustomResource;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1LocalObjectReference;

/**
 * Of Crossplane, with a schema as an official model, and records with annotations of
 * Jackson.
 */
@CustomResource(group = "apiextensions.crossplane.io", version = "v1", plural = "compositeresourcedefinitions",
		kind = "CompositeResourceDefinition", namespaced = false)
class CompositeDefinition extends Resource<CompositeDefinition.Spec, CompositeDefinition.Status> {

	static class Spec {

		String group;

		@JsonProperty("names")
		private Names composite;

		Names claimNames;

		@JsonSetter(nulls = Nulls.SKIP)
		private List<String> connectionSecretKeys = new ArrayList<>();

		V1LocalObjectReference defaultCompositionRef;

		String defaultCompositeDeletePolicy;

		String defaultCompositionUpdatePolicy;

		List<Version> versions;

		List<String> connectionSecretKeys() {
			return this.connectionSecretKeys;
		}

	}

	record Names(String kind, String plural, List<String> categories) {
	}

	record Version(String name, boolean served, boolean referenceable,
			@JsonProperty(value = "schema", required = true) Schema withSchema) {
	}

	record Schema(@JsonProperty("openAPIV3Schema") V1JSONSchemaProps issued) {
	}

	static class Status {

		@JsonProperty(index = 1)
		List<V1Condition> conditions;

	}

}
