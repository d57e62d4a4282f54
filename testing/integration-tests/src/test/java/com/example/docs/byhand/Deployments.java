/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.byhand;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class Deployments implements ResourceEventHandler<V1Deployment> {

	private static final Logger logger = LoggerFactory.getLogger(Deployments.class);

	private final Timer calls;

	Deployments(MeterRegistry meters) {
		this.calls = meters.timer("deployments.handler.calls");
	}

	@Override
	public void onAdd(V1Deployment deployment) {
	}

	@Override
	public void onUpdate(V1Deployment previous, V1Deployment current) {
		this.calls.record(() -> logger.info("{} has changed", current.getMetadata().getName()));
	}

	@Override
	public void onDelete(V1Deployment deployment, boolean finalStateUnknown) {
	}

}
