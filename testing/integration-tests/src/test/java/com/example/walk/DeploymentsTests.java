/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.walk;

import java.time.Duration;
import java.util.Map;

import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
@ExtendWith(OutputCaptureExtension.class)
class DeploymentsTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Deployment> deployments;

	@Autowired
	InformerRegistry registry;

	@Test
	void changedDeployment_isLogged(CapturedOutput output) throws InterruptedException {
		awaitHandled(this.kubernetes.create(new V1Deployment().apiVersion("apps/v1")
			.kind("Deployment")
			.metadata(new V1ObjectMeta().namespace("default").name("web"))
			.spec(new V1DeploymentSpec().replicas(1))));
		assertThat(output).doesNotContain("web has changed");
		awaitHandled(this.kubernetes.mergePatch("deployments.apps", "default", "web",
				Map.of("spec", Map.of("replicas", 2))));
		assertThat(output).contains("web has changed");
	}

	private void awaitHandled(JsonNode written) throws InterruptedException {
		String version = written.path("metadata").path("resourceVersion").asString();
		assertThat(this.deployments.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.registry.awaitHandlersIdle(Duration.ofSeconds(10))).isTrue();
	}

}
