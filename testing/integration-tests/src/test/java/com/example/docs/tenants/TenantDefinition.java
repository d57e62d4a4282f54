/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import io.kubernetes.client.util.Yaml;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.Resource;

@TestConfiguration(proxyBeanMethods = false)
class TenantDefinition {

	@Bean
	EmbeddedKubernetesCustomizer tenantResource(@Value("classpath:tenants-crd.yaml") Resource file) throws IOException {
		Object definition = Yaml.load(file.getContentAsString(StandardCharsets.UTF_8));
		return (kubernetes) -> kubernetes.create(definition);
	}

}
