/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.SharedIndexInformer;
import dev.informer.official.OfficialInformers;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1Endpoints;
import io.kubernetes.client.openapi.models.V1Service;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OfficialInformerBeans {

	@Bean
	SharedInformerFactory sharedInformerFactory(SharedIndexInformer<V1Service> services,
			SharedIndexInformer<V1Endpoints> endpoints) {
		return OfficialInformers.factory(services, endpoints);
	}

}
