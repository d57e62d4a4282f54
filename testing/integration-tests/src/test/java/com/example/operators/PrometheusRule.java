/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.custom.IntOrString;

/**
 * Of the Prometheus operator, with words of Java, and subclasses that add nothing.
 */
@CustomResource(group = "monitoring.coreos.com", version = "v1", plural = "prometheusrules")
class PrometheusRule extends Resource<PrometheusRule.Spec, PrometheusRule.Status> {

	static class Spec {

		Groups groups;

	}

	static class Groups extends ArrayList<Group> {

		private static final long serialVersionUID = 1L;

	}

	static class Group {

		String name;

		Collection<Rule> rules;

		@SerializedName("partial_response_strategy")
		String strategy;

		@SerializedName("query_offset")
		String offset;

		Map<String, String> labels;

	}

	static class Rule {

		String alert;

		String record;

		@SerializedName("for")
		String duration;

		IntOrString expr;

	}

	static class Status {

		List<Binding> bindings;

	}

	record Binding(String group, String resource, String namespace, String name, List<Accepted> conditions) {
	}

	record Accepted(String type, String status, String message, OffsetDateTime lastTransitionTime) {
	}

}
