/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentCondition;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RolloutTests {

	private final V1Deployment deployment = new Shop("shop").deployment("web", 5);

	@Test
	void changeNotObservedByController_isPending() {
		observed(2, 1).status(
				new V1DeploymentStatus().observedGeneration(1L).replicas(5).updatedReplicas(5).availableReplicas(5));
		assertThat(rollout()).hasToString("shop/web 0/5 updated, 5 available: waiting for the controller");
	}

	@Test
	void deploymentWithoutStatus_isPending() {
		this.deployment.getMetadata().generation(1L);
		assertThat(rollout()).hasToString("shop/web 0/5 updated, 0 available: waiting for the controller");
	}

	@Test
	void oldPods_areCounted() {
		observed(2, 2).getStatus().replicas(6).updatedReplicas(3).availableReplicas(4);
		assertThat(rollout()).hasToString("shop/web 3/5 updated, 4 available, 3 outdated: in progress");
	}

	@Test
	void allPodsUpdatedAndAvailable_isFinished() {
		observed(2, 2).getStatus().replicas(5).updatedReplicas(5).availableReplicas(5);
		assertThat(rollout()).hasToString("shop/web 5/5 updated, 5 available: finished");
	}

	@Test
	void scaledToZero_isFinishedWithoutPods() {
		observed(3, 3).getSpec().replicas(0);
		assertThat(rollout()).hasToString("shop/web 0/0 updated, 0 available: finished");
	}

	@Test
	void deadlineExceeded_isStalled() {
		observed(1, 1).getStatus().conditions(List.of(new V1DeploymentCondition().type("Progressing").status("False")));
		assertThat(rollout()).hasToString("shop/web 0/5 updated, 0 available: stalled");
	}

	@Test
	void missingReplicas_meansOne() {
		observed(1, 1).getSpec().replicas(null);
		assertThat(rollout()).hasToString("shop/web 0/1 updated, 0 available: in progress");
	}

	private Rollout rollout() {
		return Rollout.of(this.deployment);
	}

	private V1Deployment observed(long generation, long observed) {
		this.deployment.getMetadata().generation(generation);
		return this.deployment.status(new V1DeploymentStatus().observedGeneration(observed));
	}

}
