/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import java.time.Duration;
import java.util.Map;

import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetesOptions;

import org.springframework.stereotype.Component;

@Component
class ShopCluster implements EmbeddedKubernetesCustomizer {

	@Override
	public void customize(EmbeddedKubernetesOptions options) {
		options.bookmarkInterval(Duration.ofSeconds(1));
	}

	@Override
	public void populate(EmbeddedKubernetes kubernetes) {
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
	}

}
