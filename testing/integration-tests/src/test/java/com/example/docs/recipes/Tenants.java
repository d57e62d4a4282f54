/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import dev.informer.spring.InformerHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class Tenants {

	private static final Logger logger = LoggerFactory.getLogger(Tenants.class);

	@InformerHandler
	void changed(Tenant tenant) {
		logger.info("{} has the plan {}", tenant.getMetadata().getName(), tenant.getSpec().getPlan());
	}

}
