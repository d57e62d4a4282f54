/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.util.Map;
import java.util.Set;

import dev.informer.Lister;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class ShopSettings {

	private static final Logger logger = LoggerFactory.getLogger(ShopSettings.class);

	private final Lister<V1ConfigMap> settings;

	ShopSettings(@Qualifier("shopsettingsLister") Lister<V1ConfigMap> settings) {
		this.settings = settings;
	}

	String get(String key, String defaultValue) {
		return this.settings.list()
			.stream()
			.findFirst()
			.map(V1ConfigMap::getData)
			.orElseGet(Map::of)
			.getOrDefault(key, defaultValue);
	}

	@InformerHandler(informer = "shopsettings")
	void changed(V1ConfigMap settings) {
		Map<String, String> data = settings.getData();
		logger.info("The settings have the keys {}", (data != null) ? data.keySet() : Set.of());
	}

}
