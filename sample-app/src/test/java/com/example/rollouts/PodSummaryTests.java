/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.time.OffsetDateTime;
import java.util.List;

import com.example.rollouts.PodSummary.State;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateTerminated;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PodSummaryTests {

	private final V1Pod pod = new Shop("shop").pod("web-1", "web", "node-a", true);

	@Test
	void runningWithReadyCondition_isReady() {
		assertSummary(State.READY, "Ready");
	}

	@Test
	void runningWithoutReadyCondition_isNotReady() {
		this.pod.getStatus().conditions(null);
		assertSummary(State.NOT_READY, "Not ready");
	}

	@Test
	void readyConditionOfPendingPod_isIgnored() {
		this.pod.getStatus().phase("Pending");
		assertSummary(State.PENDING, "Pending");
	}

	@Test
	void readyPodThatIsDeleted_isTerminating() {
		this.pod.getMetadata().deletionTimestamp(OffsetDateTime.now());
		assertSummary(State.TERMINATING, "Terminating");
	}

	@Test
	void finishedPodThatIsDeleted_hasItsResult() {
		this.pod.getMetadata().deletionTimestamp(OffsetDateTime.now());
		this.pod.getStatus().phase("Succeeded");
		assertSummary(State.SUCCEEDED, "Succeeded");
	}

	@Test
	void containerThatWaits_hasItsReason() {
		this.pod.getStatus()
			.phase("Pending")
			.containerStatuses(List.of(container(new V1ContainerState()), container(
					new V1ContainerState().waiting(new V1ContainerStateWaiting().reason("ImagePullBackOff")))));
		assertSummary(State.PENDING, "ImagePullBackOff");
	}

	@Test
	void containerThatHasTerminated_hasItsReason() {
		this.pod.getStatus()
			.phase("Failed")
			.containerStatuses(List.of(container(
					new V1ContainerState().terminated(new V1ContainerStateTerminated().reason("OOMKilled")))));
		assertSummary(State.FAILED, "OOMKilled");
	}

	@Test
	void evictedPod_hasItsReason() {
		this.pod.getStatus().phase("Failed").reason("Evicted");
		assertSummary(State.FAILED, "Evicted");
	}

	@Test
	void podWithoutStatus_isUnknown() {
		this.pod.status(null);
		assertSummary(State.UNKNOWN, "Unknown");
	}

	private void assertSummary(State state, String status) {
		assertThat(PodSummary.of(this.pod)).isEqualTo(new PodSummary("shop", "web-1", "node-a", state, status));
	}

	private static V1ContainerStatus container(V1ContainerState state) {
		return new V1ContainerStatus().state(state);
	}

}
