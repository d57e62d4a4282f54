/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.leader;

import java.time.Duration;

import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(properties = { "informer.leader.enabled=true", "informer.leader.lease-name=billing" })
@AutoConfigureEmbeddedKubernetes
class BillingTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<V1Job> jobs;

	@Autowired
	InformerRegistry registry;

	@Autowired
	Leadership leadership;

	@Autowired
	Billing billing;

	@Test
	void body_needsNoLeader() {
		Billing alone = new Billing();
		alone.charge(new ResourceEvent.Added<>(job("import-1"), false));
		assertThat(alone.charged()).containsExactly("import-1");
	}

	@Test
	void createdJob_isChargedByTheLeaderOnly() throws InterruptedException {
		await().until(this.leadership::isLeader);
		try (ConfigurableApplicationContext standby = SpringApplication.run(BillingApplication.class,
				"--informer.connection.url=" + this.kubernetes.url(), "--informer.connection.namespace=default",
				"--informer.leader.enabled=true", "--informer.leader.lease-name=billing", "--server.port=0")) {
			JsonNode created = this.kubernetes.create(job("import-2"));
			String version = created.path("metadata").path("resourceVersion").asString();
			assertThat(this.jobs.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
			assertThat(standby.getBean(InformerRegistry.class)
				.informer("jobs", V1Job.class)
				.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
			assertThat(this.registry.awaitHandlersIdle(Duration.ofSeconds(10))).isTrue();
			assertThat(this.billing.charged()).containsExactly("import-2");
			assertThat(standby.getBean(Leadership.class).isLeader()).isFalse();
			assertThat(standby.getBean(Billing.class).charged()).isEmpty();
		}
	}

	private static V1Job job(String name) {
		return new V1Job().apiVersion("batch/v1")
			.kind("Job")
			.metadata(new V1ObjectMeta().namespace("default").name(name));
	}

}
