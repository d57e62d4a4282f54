/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.cloud;

import dev.informer.SharedIndexInformer;
import dev.informer.official.OfficialInformers;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1Endpoints;
import io.kubernetes.client.openapi.models.V1Service;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class CloudApplication {

	private static final Logger logger = LoggerFactory.getLogger(CloudApplication.class);

	public static void main(String[] args) {
		SpringApplication.run(CloudApplication.class, args);
	}

	@Bean
	SharedInformerFactory sharedInformerFactory(SharedIndexInformer<V1Service> services,
			SharedIndexInformer<V1Endpoints> endpoints) {
		return OfficialInformers.factory(services, endpoints);
	}

	@InformerHandler
	void changed(V1Service service) {
		logger.info("Service {} has changed", service.getMetadata().getName());
	}

}
