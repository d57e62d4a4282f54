/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.reconcilers;

import java.time.Duration;

import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test for {@link TeamQuotas}.
 */
@SpringBootTest(classes = TeamQuotasTests.Application.class)
@AutoConfigureEmbeddedKubernetes
class TeamQuotasTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	Reconcilers reconcilers;

	@Test
	void namespace_getsQuota() throws InterruptedException {
		this.kubernetes
			.create(new V1Namespace().apiVersion("v1").kind("Namespace").metadata(new V1ObjectMeta().name("a")));
		await().until(() -> this.kubernetes.get("resourcequotas", "a", "team").isPresent());
		this.kubernetes.delete("resourcequotas", "a", "team");
		await().until(() -> this.kubernetes.get("resourcequotas", "a", "team").isPresent());
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(10))).isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(TeamQuotas.class)
	static class Application {

	}

}
