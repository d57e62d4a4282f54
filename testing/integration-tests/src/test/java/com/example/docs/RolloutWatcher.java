/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.Lister;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class RolloutWatcher {

	private static final Logger logger = LoggerFactory.getLogger(RolloutWatcher.class);

	private final Lister<V1Pod> pods;

	RolloutWatcher(Lister<V1Pod> pods) {
		this.pods = pods;
	}

	@InformerHandler
	void changed(V1Deployment previous, V1Deployment current) {
		V1ObjectMeta deployment = current.getMetadata();
		int beside = this.pods.list(deployment.getNamespace()).size();
		logger.info("{} has changed, in a namespace with {} pods", deployment.getName(), beside);
	}

}
