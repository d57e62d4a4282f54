/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.writing;

import java.util.Map;

import dev.informer.recorder.EventRecorder;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
class QuotasTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Test
	void createdNamespace_hasQuota() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		await().untilAsserted(() -> assertThat(this.kubernetes.get("configmaps", "shop", "quota")).isPresent());
	}

	@Test
	void recordedEvent_isWritten(@Autowired EventRecorder events) {
		V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("web-1").uid("1"));
		events.warning(pod, "QuotaExceeded", "Create", "Too many pods");
		await().untilAsserted(() -> assertThat(this.kubernetes.list("events.events.k8s.io", "default")).singleElement()
			.satisfies((event) -> assertThat(event.path("reason").asString()).isEqualTo("QuotaExceeded")));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Quotas.class)
	static class QuotasApplication {

	}

}
