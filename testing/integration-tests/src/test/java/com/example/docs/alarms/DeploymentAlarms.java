/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.alarms;

import java.util.List;
import java.util.Optional;

import dev.informer.ResourceEvent;
import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentCondition;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;

import org.springframework.stereotype.Component;

@Component
class DeploymentAlarms {

	private final SentAlarms sent;

	private final Channel channel;

	private final Leadership leadership;

	DeploymentAlarms(SentAlarms sent, Channel channel, Leadership leadership) {
		this.sent = sent;
		this.channel = channel;
		this.leadership = leadership;
	}

	@InformerHandler(leaderOnly = "true", retry = @Retry(maxRetries = "-1"))
	void changed(ResourceEvent<V1Deployment> event) {
		// read first, so that the record of a later leader is not replaced
		int token = this.leadership.fencingToken().orElseThrow();
		String uid = event.object().getMetadata().getUid();
		boolean raised = event.type() != ResourceEvent.Type.DELETED && unavailable(event.object());
		if (raised != this.sent.isRaised(uid)) {
			String name = event.object().getMetadata().getName();
			this.channel.send(uid, name + (raised ? " is unavailable" : " has recovered or was deleted"));
			this.sent.record(uid, raised, token);
		}
	}

	private static boolean unavailable(V1Deployment deployment) {
		List<V1DeploymentCondition> conditions = Optional.ofNullable(deployment.getStatus())
			.map(V1DeploymentStatus::getConditions)
			.orElseGet(List::of);
		return conditions.stream()
			.anyMatch((condition) -> condition.getType().equals("Available") && condition.getStatus().equals("False"));
	}

	interface Channel {

		void send(String incident, String text);

	}

}
