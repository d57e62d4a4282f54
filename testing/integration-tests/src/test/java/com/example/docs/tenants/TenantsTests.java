/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.time.Duration;

import dev.informer.SharedIndexInformer;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
@Import(TenantDefinition.class)
@ExtendWith(OutputCaptureExtension.class)
class TenantsTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	SharedIndexInformer<Tenant> informer;

	@Autowired
	Tenants tenants;

	@Test
	void createdTenant_isReportedAndFoundByItsPlan(CapturedOutput output) throws InterruptedException {
		JsonNode created = this.kubernetes.create("""
				{ "apiVersion": "example.com/v1", "kind": "Tenant", "metadata": { "name": "acme" },
				  "spec": { "plan": "gold" }, "status": { "readySince": "2026-01-01T12:00:00Z" } }
				""");
		String version = created.path("metadata").path("resourceVersion").asString();
		assertThat(this.informer.awaitAtLeast(version, Duration.ofSeconds(10))).isTrue();
		assertThat(this.tenants.withPlan("gold")).containsExactly("acme");
		await().untilAsserted(
				() -> assertThat(output).contains("acme has the plan gold and is ready since 2026-01-01T12:00Z"));
	}

}
