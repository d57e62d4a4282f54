/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
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
 * @param state the state, which follows from phase, Ready condition and deletion
 * @param status the state in words, or the reason for it, such as
 * {@code ImagePullBackOff}
 */
record PodSummary(String namespace, String name, @Nullable String node, State state, String status) {

	static PodSummary of(V1Pod pod) {
		V1PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(V1PodStatus::new);
		State state = state(pod, status);
		return new PodSummary(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), Pods.node(pod), state,
				inWords(state, status));
	}

	private static State state(V1Pod pod, V1PodStatus status) {
		String phase = Optional.ofNullable(status.getPhase()).orElse("");
		if (phase.equals("Succeeded")) {
			return State.SUCCEEDED;
		}
		if (phase.equals("Failed")) {
			return State.FAILED;
		}
		if (pod.getMetadata().getDeletionTimestamp() != null) {
			return State.TERMINATING;
		}
		return switch (phase) {
			case "Running" -> isReady(status) ? State.READY : State.NOT_READY;
			case "Pending" -> State.PENDING;
			default -> State.UNKNOWN;
		};
	}

	private static boolean isReady(V1PodStatus status) {
		List<V1PodCondition> conditions = Optional.ofNullable(status.getConditions()).orElseGet(List::of);
		return conditions.stream()
			.anyMatch((condition) -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
	}

	private static String inWords(State state, V1PodStatus status) {
		if (state == State.READY || state == State.TERMINATING) {
			return state.text;
		}
		List<V1ContainerStatus> containers = Optional.ofNullable(status.getContainerStatuses()).orElseGet(List::of);
		return containers.stream()
			.map(PodSummary::reason)
			.filter(Objects::nonNull)
			.findFirst()
			.or(() -> Optional.ofNullable(status.getReason()))
			.orElse(state.text);
	}

	private static @Nullable String reason(V1ContainerStatus container) {
		V1ContainerState state = container.getState();
		if (state == null) {
			return null;
		}
		if (state.getWaiting() != null) {
			return state.getWaiting().getReason();
		}
		return (state.getTerminated() != null) ? state.getTerminated().getReason() : null;
	}

	/**
	 * State of a pod.
	 */
	enum State {

		/** Runs and has the condition Ready. */
		READY("Ready"),

		/** Runs without the condition Ready. */
		NOT_READY("Not ready"),

		/** Is not scheduled, or its containers have not started. */
		PENDING("Pending"),

		/** Is being deleted, so that it is no progress of a rollout. */
		TERMINATING("Terminating"),

		/** Has ended, and is not started again. */
		SUCCEEDED("Succeeded"),

		/** Has ended with an error, and is not started again. */
		FAILED("Failed"),

		/** Not known. */
		UNKNOWN("Unknown");

		private final String text;

		State(String text) {
			this.text = text;
		}

	}

}
