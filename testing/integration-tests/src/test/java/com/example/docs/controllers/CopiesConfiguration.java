/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.controllers;

import dev.informer.SharedIndexInformer;
import dev.informer.official.OfficialInformers;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class CopiesConfiguration {

	@Bean
	SharedInformerFactory sharedInformerFactory(SharedIndexInformer<V1ConfigMap> configMaps) {
		return OfficialInformers.factory(configMaps);
	}

	@Bean
	Lister<V1ConfigMap> officialConfigMaps(SharedIndexInformer<V1ConfigMap> configMaps) {
		return OfficialInformers.lister(configMaps);
	}

}
