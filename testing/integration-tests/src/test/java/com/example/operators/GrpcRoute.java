/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.openapi.models.V1Condition;

/**
 * Of the Gateway API, with generic parts below the generic base class, and sets.
 */
@CustomResource(group = "gateway.networking.k8s.io", version = "v1", plural = "grpcroutes", kind = "GRPCRoute")
class GrpcRoute extends Resource<GrpcRoute.RouteSpec<GrpcRoute.Rule>, GrpcRoute.RouteStatus> {

	static class RouteSpec<R> {

		Ref[] parentRefs;

		LinkedHashSet<String> hostnames;

		List<R> rules;

	}

	static class Ref {

		String group;

		String kind;

		String name;

		Integer port;

		Integer weight;

		Ref() {
		}

		Ref(String name) {
			this.name = name;
		}

	}

	static class Rule {

		Set<Match<MethodMatch, HeaderMatch>> matches;

		List<Ref> backendRefs;

	}

	static class Match<M, H> {

		M method;

		List<? extends H> headers;

	}

	record MethodMatch(MatchType type, String service, String method) {
	}

	record HeaderMatch(MatchType type, String name, String value) {
	}

	enum MatchType {

		@SerializedName(value = "Exact", alternate = "ExactMatch")
		EXACT,

		@SerializedName("RegularExpression")
		REGULAR_EXPRESSION

	}

	static class RouteStatus {

		List<ParentStatus> parents = new ArrayList<>();

	}

	static class ParentStatus {

		String controllerName;

		Ref parentRef;

		Map<String, V1Condition> unused;

		List<V1Condition> conditions = new ArrayList<>();

	}

}
