/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.time.Duration;
import java.util.Map;

import dev.informer.test.EmbeddedKubernetes;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedClusterTest
@ActiveProfiles("replicas")
@ExtendWith(OutputCaptureExtension.class)
class ReplicasProfileTests {

	private final Shop shop = new Shop("shop");

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private RestTestClient client;

	@Test
	void onlyReplica_leadsAndOwnsAllSlots(CapturedOutput output) {
		this.kubernetes.create(this.shop.object());
		this.kubernetes.create(this.shop.deployment("web", 2));
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", "shop",
				"name", "limits", "labels", Map.of("app.kubernetes.io/part-of", "rollouts"))));
		await().untilAsserted(() -> {
			Replica replica = this.client.get()
				.uri("/replica")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody(Replica.class)
				.returnResult()
				.getResponseBody();
			assertThat(replica).isNotNull();
			assertThat(replica.leader()).isEqualTo(replica.identity());
			assertThat(replica.owned()).hasSize(replica.slots());
			assertThat(replica.deployments()).containsExactly("shop/web");
		});
		await()
			.untilAsserted(() -> assertThat(output.getOut()).contains("shop/web 0/2 updated", "Settings shop/limits"));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}
