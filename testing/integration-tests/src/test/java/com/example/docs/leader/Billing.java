/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.leader;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Job;

import org.springframework.stereotype.Component;

@Component
class Billing {

	private final Queue<String> charged = new ConcurrentLinkedQueue<>();

	@InformerHandler(leaderOnly = "true")
	void charge(ResourceEvent<V1Job> event) {
		this.charged.add(event.object().getMetadata().getName());
	}

	List<String> charged() {
		return List.copyOf(this.charged);
	}

}
