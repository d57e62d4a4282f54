/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.status;

import java.io.IOException;
import java.util.Map;

import com.example.docs.tenants.Tenant;
import dev.informer.Lister;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.Resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Test of the recipe that writes a status.
 */
@SpringBootTest
@AutoConfigureEmbeddedKubernetes
class TenantStatusesTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	Lister<Tenant> tenants;

	@Test
	void missingStatus_isWrittenOnce() {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("name", "acme"), "spec", Map.of("plan", "gold")));
		await().untilAsserted(() -> assertThat(this.tenants.get("default", "acme")).get()
			.satisfies((tenant) -> assertThat(tenant.readySince()).isPresent())
			.satisfies((tenant) -> assertThat(tenant.plan()).contains("gold")));
		String version = this.tenants.get("default", "acme").orElseThrow().getMetadata().getResourceVersion();
		assertThat(String.valueOf(this.kubernetes.resourceVersion())).isEqualTo(version);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Definition {

		@Bean
		EmbeddedKubernetesCustomizer tenantResource(@Value("classpath:tenants-crd.yaml") Resource file)
				throws IOException {
			Object definition = Yaml.load(file.getContentAsString(UTF_8));
			return (kubernetes) -> kubernetes.create(definition);
		}

	}

}
