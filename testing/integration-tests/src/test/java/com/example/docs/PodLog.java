/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.stereotype.Component;

@Component
class PodLog {

	@InformerHandler
	void handle(ResourceEvent<V1Pod> event) {
		System.out.println(event.type() + " " + event.object().getMetadata().getName());
	}

}
