/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;

/**
 * Factory of test objects in one namespace.
 *
 * @param namespace the namespace
 */
record Shop(String namespace) {

	V1Namespace object() {
		return new V1Namespace().apiVersion("v1").kind("Namespace").metadata(new V1ObjectMeta().name(this.namespace));
	}

	V1Pod pod(String name, String app, String node, boolean ready) {
		return new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(metadata(name, app))
			.spec(podSpec("1").nodeName(node))
			.status(new V1PodStatus().phase("Running")
				.conditions(List.of(new V1PodCondition().type("Ready").status(ready ? "True" : "False"))));
	}

	V1Pod pendingPod(String name, String app) {
		return new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(metadata(name, app))
			.spec(podSpec("1"))
			.status(new V1PodStatus().phase("Pending"));
	}

	V1Deployment deployment(String app, int replicas) {
		return new V1Deployment().apiVersion("apps/v1")
			.kind("Deployment")
			.metadata(metadata(app, app))
			.spec(new V1DeploymentSpec().replicas(replicas)
				.selector(new V1LabelSelector().matchLabels(Map.of("app", app)))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(Map.of("app", app)))
					.spec(podSpec("1"))));
	}

	PodSummary summary(String name, String node, boolean ready) {
		return new PodSummary(this.namespace, name, node, ready ? PodSummary.State.READY : PodSummary.State.NOT_READY,
				ready ? "Ready" : "Not ready");
	}

	private V1ObjectMeta metadata(String name, String app) {
		return new V1ObjectMeta().namespace(this.namespace).name(name).labels(Map.of("app", app));
	}

	private static V1PodSpec podSpec(String version) {
		return new V1PodSpec().overhead(null)
			.containers(List.of(new V1Container().name("main").image("example/web:" + version)));
	}

}
