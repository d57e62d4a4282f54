/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.Lister;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.stereotype.Component;

@Component
class PodNames {

	private final Lister<V1Pod> pods;

	private final Queue<String> handled = new ConcurrentLinkedQueue<>();

	PodNames(Lister<V1Pod> pods) {
		this.pods = pods;
	}

	List<String> in(String namespace) {
		return this.pods.list(namespace).stream().map((pod) -> pod.getMetadata().getName()).sorted().toList();
	}

	List<String> handled() {
		return List.copyOf(this.handled);
	}

	@InformerHandler
	void created(V1Pod pod) {
		this.handled.add(pod.getMetadata().getName());
	}

}
