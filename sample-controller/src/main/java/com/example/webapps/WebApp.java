/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.util.ArrayList;
import java.util.List;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Web application, a custom resource with the definition {@code k8s/webapps-crd.yaml}.
 */
@CustomResource(group = "example.com", version = "v1", plural = "webapps")
public class WebApp implements KubernetesObject {

	private String apiVersion = "example.com/v1";

	private String kind = "WebApp";

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private Spec spec = new Spec("", 1, 8080);

	private Status status = new Status();

	private WebApp() {
	}

	WebApp(V1ObjectMeta metadata, Spec spec) {
		this.metadata = metadata;
		this.spec = spec;
	}

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

	Spec spec() {
		return this.spec;
	}

	Status status() {
		return this.status;
	}

	/**
	 * Desired state.
	 *
	 * @param image the image of the containers
	 * @param replicas the number of pods
	 * @param port the port of the containers and of the Service
	 */
	record Spec(String image, int replicas, int port) {
	}

	/**
	 * Actual state.
	 */
	static class Status {

		private int readyReplicas;

		private long observedGeneration;

		private List<V1Condition> conditions = new ArrayList<>();

		int readyReplicas() {
			return this.readyReplicas;
		}

		List<V1Condition> conditions() {
			return this.conditions;
		}

		void set(int readyReplicas, long observedGeneration) {
			this.readyReplicas = readyReplicas;
			this.observedGeneration = observedGeneration;
		}

	}

}
