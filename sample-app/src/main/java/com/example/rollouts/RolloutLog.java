/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Logs the progress of rollouts, one line per step. No state is kept here: the previous
 * object of an update is the one that was last delivered to this handler.
 */
@Component
class RolloutLog {

	private static final Logger logger = LoggerFactory.getLogger(RolloutLog.class);

	@InformerHandler(id = "rollouts")
	void handle(ResourceEvent<V1Deployment> event) {
		Rollout rollout = Rollout.of(event.object());
		if (event instanceof ResourceEvent.Deleted<V1Deployment>) {
			logger.info("{} was deleted", rollout.deployment());
		}
		else if (event instanceof ResourceEvent.Updated<V1Deployment> updated) {
			if (!rollout.equals(Rollout.of(updated.previous()))) {
				logger.info("{}", rollout);
			}
		}
		else {
			logger.info("{}", rollout);
		}
	}

}
