/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

@RealKubernetes(value = RequiredServer.LIVING_CLUSTER, own = true)
class LivingClusterTests {

	private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/shop/deployments";

	private final ControlPlane cluster;

	private final ApiConnection admin;

	LivingClusterTests(RealServer server) {
		this.cluster = server.requireControlPlane();
		this.admin = this.cluster.connection();
	}

	@BeforeEach
	void createNamespace() throws IOException {
		this.admin.post("/api/v1/namespaces", "{\"metadata\": {\"name\": \"shop\"}}");
	}

	@Test
	void scaledDeployment_hasMatchingNumberOfRunningPods() throws IOException {
		this.admin.post(DEPLOYMENTS, deployment("web", 1)).expectSuccess();
		awaitRunning("web", 1);
		scale("web", 5);
		awaitRunning("web", 5);
		scale("web", 0);
		awaitRunning("web", 0);
	}

	@Test
	void killedApiServer_isReconnectedByControllersAndNodes() throws IOException {
		this.admin.post(DEPLOYMENTS, deployment("api", 2)).expectSuccess();
		awaitRunning("api", 2);
		this.cluster.killApiServer();
		this.cluster.startApiServer();
		scale("api", 4);
		awaitRunning("api", 4);
	}

	private void scale(String name, int replicas) throws IOException {
		this.admin.put(DEPLOYMENTS + "/" + name + "/scale", """
				{"apiVersion": "autoscaling/v1", "kind": "Scale",
				 "metadata": {"name": "%s", "namespace": "shop"}, "spec": {"replicas": %d}}
				""".formatted(name, replicas)).expectSuccess();
	}

	private void awaitRunning(String name, int count) {
		awaitExternal().untilAsserted(() -> {
			JsonNode pods = JsonMapper.shared()
				.readTree(this.admin.get("/api/v1/namespaces/shop/pods?labelSelector=app%3D" + name).expectSuccess());
			assertThat(pods.path("items").valueStream().map((pod) -> pod.path("status").path("phase").asString()))
				.hasSize(count)
				.allMatch("Running"::equals);
		});
	}

	private static String deployment(String name, int replicas) {
		return """
				{"metadata": {"name": "%1$s"},
				 "spec": {"replicas": %2$d, "selector": {"matchLabels": {"app": "%1$s"}},
				          "template": {"metadata": {"labels": {"app": "%1$s"}},
				                       "spec": {"containers": [{"name": "main", "image": "example/web:1"}]}}}}
				""".formatted(name, replicas);
	}

}
