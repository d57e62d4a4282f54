/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class TeamNamespaces {

	private static final Logger logger = LoggerFactory.getLogger(TeamNamespaces.class);

	@InformerHandler(informer = "teamnamespaces")
	void changed(ResourceEvent<V1Namespace> event) {
		String name = event.object().getMetadata().getName();
		switch (event.type()) {
			case ADDED -> logger.info("{} belongs to team {}", name, team(event.object()));
			case UPDATED -> {
				if (!team(event.previous()).equals(team(event.object()))) {
					logger.info("{} went to team {}", name, team(event.object()));
				}
			}
			case DELETED -> logger.info("{} belongs to no team", name);
		}
	}

	private static String team(V1Namespace namespace) {
		return namespace.getMetadata().getLabels().getOrDefault("team", "");
	}

}
