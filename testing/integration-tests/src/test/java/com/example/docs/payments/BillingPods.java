/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

@Component
class BillingPods {

	private static final Logger logger = LoggerFactory.getLogger(BillingPods.class);

	@InformerHandler(filter = "#{@teams.pods('billing')}")
	void added(V1Pod pod) {
		logger.info("{} belongs to billing", pod.getMetadata().getName());
	}

}
