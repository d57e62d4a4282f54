/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.util.Map;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Test of the recipe with an object that has neither spec nor status, which the
 * definition accepts.
 */
@SpringBootTest(properties = "informer.handlers.tenantstatus.auto-startup=false")
@AutoConfigureEmbeddedKubernetes
@Import(TenantDefinition.class)
@ExtendWith(OutputCaptureExtension.class)
class TenantsWithoutSpecTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Test
	void tenantWithoutSpec_isReported(CapturedOutput output) {
		this.kubernetes
			.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata", Map.of("name", "empty")));
		await().untilAsserted(() -> assertThat(output).contains("empty has the plan none and is not ready"));
	}

}
