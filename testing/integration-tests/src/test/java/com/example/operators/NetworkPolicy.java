/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.math.BigDecimal;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Calico, with queues, an enum set and a decimal.
 */
@CustomResource(group = "projectcalico.org", version = "v3", plural = "networkpolicies")
class NetworkPolicy implements KubernetesObject {

	String apiVersion;

	String kind;

	V1ObjectMeta metadata;

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

	static class Spec {

		String tier;

		BigDecimal order;

		String selector;

		EnumSet<Type> types;

		Queue<Rule> ingress;

	}

	enum Type {

		Ingress, Egress

	}

	static class Rule {

		Action action;

		IntOrString protocol;

		Destination destination;

	}

	enum Action {

		Allow, Deny

	}

	static class Destination {

		Deque<IntOrString> ports;

		List<String> nets;

	}

}
