/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentCondition;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a Deployment towards its specification.
 *
 * @param deployment the namespace and name of the Deployment
 * @param desired the number of desired pods
 * @param updated the number of pods of the latest revision, 0 until the controller has
 * observed it
 * @param outdated the number of pods of earlier revisions, 0 until then
 * @param available the number of available pods
 * @param phase the phase of the rollout
 */
record Rollout(String deployment, int desired, int updated, int outdated, int available, Phase phase) {

	static Rollout of(V1Deployment deployment) {
		V1DeploymentSpec spec = Optional.ofNullable(deployment.getSpec()).orElseGet(V1DeploymentSpec::new);
		V1DeploymentStatus status = Optional.ofNullable(deployment.getStatus()).orElseGet(V1DeploymentStatus::new);
		String name = deployment.getMetadata().getNamespace() + "/" + deployment.getMetadata().getName();
		int desired = (spec.getReplicas() != null) ? spec.getReplicas() : 1;
		int available = number(status.getAvailableReplicas());
		if (!Objects.equals(deployment.getMetadata().getGeneration(), status.getObservedGeneration())) {
			return new Rollout(name, desired, 0, 0, available, Phase.PENDING);
		}
		int updated = number(status.getUpdatedReplicas());
		int outdated = Math.max(0, number(status.getReplicas()) - updated);
		boolean complete = updated == desired && outdated == 0 && available == desired;
		return new Rollout(name, desired, updated, outdated, available, phase(status, complete));
	}

	private static Phase phase(V1DeploymentStatus status, boolean complete) {
		if (complete) {
			return Phase.FINISHED;
		}
		List<V1DeploymentCondition> conditions = Optional.ofNullable(status.getConditions()).orElseGet(List::of);
		return conditions.stream().anyMatch(Rollout::stalled) ? Phase.STALLED : Phase.PROGRESSING;
	}

	private static boolean stalled(V1DeploymentCondition condition) {
		return "Progressing".equals(condition.getType()) && "False".equals(condition.getStatus());
	}

	private static int number(@Nullable Integer value) {
		return (value != null) ? value : 0;
	}

	@Override
	public String toString() {
		String old = (this.outdated > 0) ? ", " + this.outdated + " outdated" : "";
		return this.deployment + " " + this.updated + "/" + this.desired + " updated, " + this.available + " available"
				+ old + ": " + this.phase.text;
	}

	/**
	 * Phase of a rollout.
	 */
	enum Phase {

		/** The controller has not observed the last change. */
		PENDING("waiting for the controller"),

		/** Pods are being replaced. */
		PROGRESSING("in progress"),

		/** The progress deadline is exceeded. */
		STALLED("stalled"),

		/** All pods are updated and available. */
		FINISHED("finished");

		private final String text;

		Phase(String text) {
			this.text = text;
		}

	}

}
