/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import java.util.Map;

import dev.informer.Lister;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.AccessRule;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetesOptions;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = "informer.resources.pods.namespaces=billing")
@AutoConfigureEmbeddedKubernetes
class RestrictedRightsTests {

	@Test
	void rightsInOneNamespace_areSufficient(@Autowired Lister<V1Pod> pods) {
		assertThat(pods.list()).isEmpty();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Account implements EmbeddedKubernetesCustomizer {

		@Override
		public void customize(EmbeddedKubernetesOptions options) {
			options.user("shop", "token", AccessRule.allow("list", "watch").on("pods").in("billing"),
					AccessRule.allow("list", "watch").on("configmaps", "deployments.apps"));
		}

		@Override
		public void populate(EmbeddedKubernetes kubernetes) {
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "billing")));
		}

	}

}
