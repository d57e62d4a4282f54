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
import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
@ExtendWith(OutputCaptureExtension.class)
class PaymentsPodsInitialListTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Pod> pods;

	@Autowired
	InformerRegistry registry;

	@Test
	void podOfTheInitialList_isLoggedAfterItsFirstChange(CapturedOutput output) throws InterruptedException {
		assertThat(this.pods.lister().get("default", "old-1")).isPresent();
		JsonNode failed = this.kubernetes.mergePatch("pods", "default", "old-1",
				Map.of("status", Map.of("phase", "Failed")));
		String version = failed.path("metadata").path("resourceVersion").asString();
		assertThat(this.pods.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.registry.awaitHandlersIdle(Duration.ofSeconds(10))).isTrue();
		assertThat(output).containsOnlyOnce("old-1 went").contains("old-1 went from Running to Failed");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class OldPod {

		@Bean
		EmbeddedKubernetesCustomizer oldPod() {
			return (kubernetes) -> kubernetes.create(new V1Pod().apiVersion("v1")
				.kind("Pod")
				.metadata(new V1ObjectMeta().name("old-1").labels(Map.of("team", "payments")))
				.status(new V1PodStatus().phase("Running")));
		}

	}

}
