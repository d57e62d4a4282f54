/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import java.time.Duration;

import dev.informer.SharedIndexInformer;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
class PodNamesApplicationTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Pod> pods;

	@Autowired
	PodNames names;

	@Test
	void createdPod_isCachedAndHandled() throws InterruptedException {
		JsonNode created = this.kubernetes.create(new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(new V1ObjectMeta().namespace("default").name("web-1")));
		String version = created.path("metadata").path("resourceVersion").asString();
		assertThat(this.pods.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.names.in("default")).containsExactly("web-1");
		await().untilAsserted(() -> assertThat(this.names.handled()).containsExactly("web-1"));
	}

}
