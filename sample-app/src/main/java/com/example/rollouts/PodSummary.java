/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;
import java.util.Optional;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.jspecify.annotations.Nullable;

/**
 * Summary of a pod.
 *
 * @param namespace its namespace
 * @param name its name
 * @param node the node of the pod, or {@code null} if the pod is not scheduled
 * @param phase the phase, such as {@code Running}
 * @param ready whether the pod is ready
 */
record PodSummary(String namespace, String name, @Nullable String node, String phase, boolean ready) {

	static PodSummary of(V1Pod pod) {
		V1PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(V1PodStatus::new);
		List<V1PodCondition> conditions = Optional.ofNullable(status.getConditions()).orElseGet(List::of);
		return new PodSummary(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), Pods.node(pod),
				Optional.ofNullable(status.getPhase()).orElse("Unknown"),
				conditions.stream().anyMatch(PodSummary::ready));
	}

	private static boolean ready(V1PodCondition condition) {
		return "Ready".equals(condition.getType()) && "True".equals(condition.getStatus());
	}

}
