/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import io.kubernetes.client.openapi.models.V1Namespace;

import org.springframework.stereotype.Component;

@Component
class OnlyOnTheLeader {

	private final InformerRegistry registry;

	OnlyOnTheLeader(InformerRegistry registry) {
		this.registry = registry;
	}

	@InformerHandler(id = "billing", autoStartup = "false")
	void bill(V1Namespace namespace) {
		// only ever called while this replica leads
	}

	void leadershipGained() {
		this.registry.resume("billing");
	}

	void leadershipLost() {
		this.registry.pause("billing");
	}

}
