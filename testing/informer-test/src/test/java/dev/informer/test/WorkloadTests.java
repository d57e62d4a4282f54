/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

class WorkloadTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@Test
	void deployment_getsReadyPodsOnItsNodes() {
		try (Workload workload = shop(this.kubernetes, 1).start()) {
			runUntilComplete(workload);
			List<ObjectNode> pods = this.kubernetes.list("pods", "shop");
			assertThat(pods).hasSize(3).allSatisfy((pod) -> {
				assertThat(pod.path("spec").path("nodeName").asString()).startsWith("node-");
				assertThat(pod.path("status").path("phase").asString()).isEqualTo("Running");
			});
			assertThat(this.kubernetes.list("replicasets", "shop")).singleElement()
				.satisfies((set) -> assertThat(set.path("status").path("readyReplicas").asInt()).isEqualTo(3));
		}
	}

	@Test
	void rollout_keepsPodsAvailableAndEndsWithTheNewImage() {
		try (Workload workload = shop(this.kubernetes, 2).rolloutEvery(20).changeEvery(1000).start()) {
			runUntilComplete(workload);
			Set<Integer> updated = new HashSet<>();
			for (int i = 0; i < 20 || !image().endsWith("-r1"); i++) {
				workload.step();
			}
			while (!isComplete() || generation() != observedGeneration()) {
				workload.step();
				JsonNode status = deployment().path("status");
				updated.add(status.path("updatedReplicas").asInt(0));
				assertThat(status.path("availableReplicas").asInt()).isBetween(3, 4);
				assertThat(status.path("replicas").asInt()).isBetween(3, 4);
			}
			assertThat(updated).contains(1, 2, 3);
			assertThat(this.kubernetes.list("pods", "shop")).hasSize(3)
				.allSatisfy((pod) -> assertThat(pod.path("spec").path("containers").path(0).path("image").asString())
					.endsWith("-r1"));
			assertThat(this.kubernetes.list("replicasets", "shop")).hasSize(2);
		}
	}

	@Test
	void deploymentScaledByAClient_isFollowed() {
		try (Workload workload = shop(this.kubernetes, 3).start()) {
			runUntilComplete(workload);
			this.kubernetes.mergePatch("deployments", "shop", "web", "{\"spec\":{\"replicas\":6}}");
			workload.step();
			runUntilComplete(workload);
			assertThat(this.kubernetes.list("pods", "shop")).hasSize(6);
			this.kubernetes.mergePatch("deployments", "shop", "web", "{\"spec\":{\"replicas\":0}}");
			workload.step();
			assertThat(this.kubernetes.list("pods", "shop")).isEmpty();
			this.kubernetes.delete("deployments", "shop", "web");
			workload.step();
			assertThat(this.kubernetes.list("replicasets", "shop")).isEmpty();
		}
	}

	@Test
	void podDeletedByAClient_isReplaced() {
		try (Workload workload = shop(this.kubernetes, 4).changeEvery(1000).start()) {
			runUntilComplete(workload);
			String pod = this.kubernetes.list("pods", "shop").get(0).path("metadata").path("name").asString();
			this.kubernetes.delete("pods", "shop", pod);
			workload.step();
			runUntilComplete(workload);
			assertThat(this.kubernetes.list("pods", "shop")).hasSize(3)
				.noneSatisfy((left) -> assertThat(left.path("metadata").path("name").asString()).isEqualTo(pod));
		}
	}

	@Test
	void configMap_changesItsDataAndItsLabel() {
		try (Workload workload = shop(this.kubernetes, 5).configMap("shop", "settings", "tier", "front")
			.changeEvery(1)
			.start()) {
			Set<Boolean> labelled = new HashSet<>();
			Set<String> revisions = new HashSet<>();
			for (int i = 0; i < 60; i++) {
				workload.step();
				ObjectNode settings = this.kubernetes.get("configmaps", "shop", "settings").orElseThrow();
				labelled.add(settings.path("metadata").path("labels").has("tier"));
				revisions.add(settings.path("data").path("revision").asString());
			}
			assertThat(labelled).containsExactlyInAnyOrder(true, false);
			assertThat(revisions).hasSizeGreaterThan(5);
		}
	}

	@Test
	void sameSeed_makesTheSameChanges() {
		try (EmbeddedKubernetes other = EmbeddedKubernetes.start()) {
			assertThat(history(this.kubernetes, 42)).isEqualTo(history(other, 42));
		}
	}

	@Test
	void schedule_runsAndLeavesNoThread() {
		try (Workload workload = shop(this.kubernetes, 6).tick(Duration.ofMillis(5)).start()) {
			await().until(this::isComplete);
		}
		assertThat(Thread.getAllStackTraces().keySet()).noneMatch((thread) -> thread.getName().equals("workload"));
	}

	private static List<String> history(EmbeddedKubernetes kubernetes, long seed) {
		List<String> history = new ArrayList<>();
		try (Workload workload = shop(kubernetes, seed).rolloutEvery(15).start()) {
			for (int i = 0; i < 60; i++) {
				workload.step();
				for (ObjectNode pod : kubernetes.list("pods", "shop")) {
					history.add(pod.path("metadata").path("name").asString() + " "
							+ pod.path("spec").path("nodeName").asString("") + " "
							+ pod.path("status").path("phase").asString());
				}
			}
		}
		return history;
	}

	private static Workload.Builder shop(EmbeddedKubernetes kubernetes, long seed) {
		return Workload.on(kubernetes)
			.seed(seed)
			.tick(Duration.ZERO)
			.nodes("node-1", "node-2")
			.deployment("shop", "web", 3, "web:1.0");
	}

	private void runUntilComplete(Workload workload) {
		for (int i = 0; i < 200; i++) {
			workload.step();
			if (isComplete()) {
				return;
			}
		}
		throw new AssertionError("Not complete after 200 steps: " + deployment());
	}

	private boolean isComplete() {
		ObjectNode deployment = deployment();
		int wanted = deployment.path("spec").path("replicas").asInt();
		JsonNode status = deployment.path("status");
		return status.path("updatedReplicas").asInt(0) == wanted && status.path("replicas").asInt(0) == wanted
				&& status.path("availableReplicas").asInt(0) == wanted;
	}

	private long generation() {
		return deployment().path("metadata").path("generation").asLong();
	}

	private long observedGeneration() {
		return deployment().path("status").path("observedGeneration").asLong();
	}

	private String image() {
		return deployment().path("spec")
			.path("template")
			.path("spec")
			.path("containers")
			.path(0)
			.path("image")
			.asString();
	}

	private ObjectNode deployment() {
		return this.kubernetes.get("deployments", "shop", "web").orElseThrow();
	}

}
