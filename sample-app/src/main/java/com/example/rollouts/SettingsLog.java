/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Logs the keys, never the values, of the ConfigMaps that belong to this application.
 */
@Component
class SettingsLog {

	private static final Logger logger = LoggerFactory.getLogger(SettingsLog.class);

	@InformerHandler(id = "settings", informer = "settings")
	void handle(ResourceEvent<V1ConfigMap> event) {
		V1ConfigMap settings = event.object();
		String name = settings.getMetadata().getNamespace() + "/" + settings.getMetadata().getName();
		if (event.type() == ResourceEvent.Type.DELETED) {
			logger.info("Settings {} were deleted", name);
		}
		else {
			logger.info("Settings {} have the keys {}", name, keys(settings));
		}
	}

	private static Set<String> keys(V1ConfigMap settings) {
		return new TreeSet<>(Optional.ofNullable(settings.getData()).orElseGet(Map::of).keySet());
	}

}
