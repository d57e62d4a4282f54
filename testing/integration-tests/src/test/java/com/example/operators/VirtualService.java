/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Istio, with arrays, a sorted set, {@code oneOf} as optional fields, and an open
 * status.
 */
@CustomResource(group = "networking.istio.io", version = "v1alpha3", plural = "virtualservices")
public class VirtualService implements KubernetesObject {

	protected String apiVersion;

	protected String kind;

	protected V1ObjectMeta metadata;

	protected Spec spec;

	protected LinkedHashMap<String, Object> status;

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

	void gateways(String... gateways) {
		this.spec.gateways = gateways;
	}

	void status(Map<String, Object> status) {
		this.status = new LinkedHashMap<>(status);
	}

	protected static class Spec {

		protected TreeSet<String> hosts;

		protected String[] gateways;

		protected HttpRoute[] http;

	}

	protected static class HttpRoute {

		protected String name;

		protected Destination[] route;

		protected StringMatch[] match;

	}

	protected static class Destination {

		protected Map<String, String> destination;

		protected Integer weight;

	}

	protected static class StringMatch {

		protected String exact;

		protected String prefix;

		protected String regex;

	}

}
