/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import java.time.Duration;
import java.util.Map;

import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
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
class PaymentsPodsTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Pod> pods;

	@Autowired
	InformerRegistry registry;

	@Test
	void statusOfPodOfPayments_isLogged(CapturedOutput output) throws InterruptedException {
		awaitHandled(this.kubernetes.create(pod("web-1", "payments")));
		awaitHandled(patch("web-1", Map.of("status", Map.of("phase", "Running"))));
		assertThat(output).contains("web-1 went from Pending to Running");
	}

	@Test
	void otherChangesAndOtherTeams_areNotLogged(CapturedOutput output) throws InterruptedException {
		awaitHandled(this.kubernetes.create(pod("web-2", "payments")));
		awaitHandled(this.kubernetes.create(pod("api-1", "billing")));
		patch("web-2", Map.of("metadata", Map.of("annotations", Map.of("note", "new"))));
		awaitHandled(patch("api-1", Map.of("status", Map.of("phase", "Running"))));
		assertThat(output).doesNotContain("web-2 went", "api-1 went");
	}

	private JsonNode patch(String name, Map<String, ?> patch) {
		return this.kubernetes.mergePatch("pods", "default", name, patch);
	}

	private void awaitHandled(JsonNode written) throws InterruptedException {
		String version = written.path("metadata").path("resourceVersion").asString();
		assertThat(this.pods.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.registry.awaitHandlersIdle(Duration.ofSeconds(10))).isTrue();
	}

	private static V1Pod pod(String name, String team) {
		return new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(new V1ObjectMeta().namespace("default").name(name).labels(Map.of("team", team)));
	}

}
