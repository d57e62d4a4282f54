/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class PaymentsPods {

	private static final Logger logger = LoggerFactory.getLogger(PaymentsPods.class);

	@Bean
	Predicate<V1Pod> ofPayments() {
		return (pod) -> {
			Map<String, String> labels = pod.getMetadata().getLabels();
			return labels != null && "payments".equals(labels.get("team"));
		};
	}

	@InformerHandler(filter = "ofPayments", changes = ChangedPart.STATUS)
	void statusChanged(V1Pod previous, V1Pod current) {
		String before = phase(previous);
		String after = phase(current);
		// equal for a resync, and if another part of the status changed
		if (!Objects.equals(before, after)) {
			logger.info("{} went from {} to {}", current.getMetadata().getName(), before, after);
		}
	}

	private static String phase(V1Pod pod) {
		return (pod.getStatus() != null) ? pod.getStatus().getPhase() : "Unknown";
	}

}
