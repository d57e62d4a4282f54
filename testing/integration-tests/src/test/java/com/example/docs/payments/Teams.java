/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import java.util.Map;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.stereotype.Component;

@Component
class Teams {

	public Predicate<V1Pod> pods(String team) {
		return (pod) -> {
			Map<String, String> labels = pod.getMetadata().getLabels();
			return labels != null && team.equals(labels.get("team"));
		};
	}

}
