/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import java.util.Map;

import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;

import org.springframework.stereotype.Component;

/**
 * Initial objects and faults of the embedded API server.
 */
@Component
class ShopCluster implements EmbeddedKubernetesCustomizer {

	@Override
	public void populate(EmbeddedKubernetes kubernetes) {
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
	}

	/**
	 * Faults of the server.
	 */
	static final class Misbehaviour {

		private final EmbeddedKubernetes kubernetes;

		Misbehaviour(EmbeddedKubernetes kubernetes) {
			this.kubernetes = kubernetes;
		}

		void begin() {
			this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(403));
			this.kubernetes.restart();
		}

	}

}
