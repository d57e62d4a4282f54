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
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the filter of {@link Teams}, which is an expression.
 */
@SpringBootTest
@AutoConfigureEmbeddedKubernetes
@ExtendWith(OutputCaptureExtension.class)
class TeamsTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Pod> pods;

	@Autowired
	InformerRegistry registry;

	@Test
	void filterExpression_selectsPodsOfTeam(CapturedOutput output) throws InterruptedException {
		create("invoice-1", "billing");
		JsonNode last = create("invoice-2", "sales");
		String version = last.path("metadata").path("resourceVersion").asString();
		assertThat(this.pods.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.registry.awaitHandlersIdle(Duration.ofSeconds(10))).isTrue();
		assertThat(output).contains("invoice-1 belongs to billing").doesNotContain("invoice-2 belongs");
	}

	private JsonNode create(String name, String team) {
		return this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata",
				Map.of("namespace", "shop", "name", name, "labels", Map.of("team", team))));
	}

}
