/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.walk;

import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class Deployments {

	private static final Logger logger = LoggerFactory.getLogger(Deployments.class);

	@InformerHandler
	void changed(V1Deployment previous, V1Deployment current) {
		logger.info("{} has changed", current.getMetadata().getName());
	}

}
