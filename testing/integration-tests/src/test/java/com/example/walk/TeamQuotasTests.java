/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.walk;

import java.time.Duration;
import java.util.Map;

import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
class TeamQuotasTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	Reconcilers reconcilers;

	@Test
	void labelledNamespace_hasQuota() throws InterruptedException {
		this.kubernetes.create(new V1Namespace().apiVersion("v1")
			.kind("Namespace")
			.metadata(new V1ObjectMeta().name("shop").labels(Map.of("max-pods", "10"))));
		awaitQuota("10");
		this.kubernetes.delete("resourcequotas", "shop", "max-pods");
		awaitQuota("10");
		setLabel("\"20\"");
		awaitQuota("20");
		setLabel("null");
		awaitQuota("");
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(10))).isTrue();
	}

	private void setLabel(String json) {
		this.kubernetes.mergePatch("namespaces", null, "shop",
				"{\"metadata\": {\"labels\": {\"max-pods\": %s}}}".formatted(json));
	}

	private void awaitQuota(String pods) {
		await().until(() -> this.kubernetes.get("resourcequotas", "shop", "max-pods")
			.map((quota) -> quota.at("/spec/hard/pods").asString())
			.orElse("")
			.equals(pods));
	}

}
