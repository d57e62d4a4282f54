/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class NodeAgent {

	private static final Logger logger = LoggerFactory.getLogger(NodeAgent.class);

	@InformerHandler(informer = "nodepods")
	void changed(ResourceEvent<V1Pod> event) {
		logger.info("{} {} on this node", event.type(), event.object().getMetadata().getName());
	}

}
