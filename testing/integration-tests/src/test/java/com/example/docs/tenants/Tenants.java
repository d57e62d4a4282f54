/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.util.List;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.spring.InformerHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

@Component
class Tenants {

	private static final Logger logger = LoggerFactory.getLogger(Tenants.class);

	private final Lister<Tenant> tenants;

	Tenants(Lister<Tenant> tenants) {
		this.tenants = tenants;
	}

	@Bean
	static IndexFunction<Tenant> byPlan() {
		return (tenant) -> tenant.plan().stream().toList();
	}

	List<String> withPlan(String plan) {
		return this.tenants.byIndex("byPlan", plan).stream().map((tenant) -> tenant.getMetadata().getName()).toList();
	}

	@InformerHandler
	void changed(Tenant tenant) {
		logger.info("{} has the plan {} and is {}", tenant.getMetadata().getName(), tenant.plan().orElse("none"),
				tenant.readySince().map((time) -> "ready since " + time).orElse("not ready"));
	}

}
