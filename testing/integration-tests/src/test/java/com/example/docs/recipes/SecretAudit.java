/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class SecretAudit {

	private static final Logger logger = LoggerFactory.getLogger("audit");

	@InformerHandler(id = "secretaudit", informer = "secrets", queue = QueuePolicy.KEEP_ALL,
			retry = @Retry(maxRetries = "9", maxDelay = "5m"))
	void record(ResourceEvent<PartialObjectMetadata> event) {
		if (event instanceof ResourceEvent.Added<PartialObjectMetadata> added && added.initialList()) {
			return;
		}
		V1ObjectMeta secret = event.object().getMetadata();
		logger.info("{} {}/{} at version {}", event.type(), secret.getNamespace(), secret.getName(),
				secret.getResourceVersion());
	}

}
