/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.time.Duration;

import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.awaitility.Awaitility.await;

@SpringBootTest
@Import({ WebAppDefinition.class, TestWebAppsApplication.Cluster.class })
class TestWebAppsApplicationTests {

	@Test
	void example_becomesReady(@Autowired EmbeddedKubernetes kubernetes) {
		await().atMost(Duration.ofSeconds(60))
			.until(() -> kubernetes.get("webapps.example.com", "default", "shop")
				.orElseThrow()
				.at("/status/readyReplicas")
				.asInt() == 2);
	}

}
