/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.util.Map;

import dev.informer.Lister;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Test of the recipe that writes a status.
 */
@SpringBootTest
@AutoConfigureEmbeddedKubernetes
@Import(TenantDefinition.class)
class TenantStatusesTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	Lister<Tenant> tenants;

	@Test
	void missingStatus_isWrittenOnce() {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("name", "unready"), "spec", Map.of("plan", "gold")));
		await().untilAsserted(() -> assertThat(this.tenants.get("default", "unready")).get()
			.satisfies((tenant) -> assertThat(tenant.readySince()).isPresent())
			.satisfies((tenant) -> assertThat(tenant.plan()).contains("gold")));
		String version = this.tenants.get("default", "unready").orElseThrow().getMetadata().getResourceVersion();
		assertThat(String.valueOf(this.kubernetes.resourceVersion())).isEqualTo(version);
	}

}
