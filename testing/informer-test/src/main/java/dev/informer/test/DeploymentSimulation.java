/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import dev.informer.test.store.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulation of the controllers, the scheduler and the kubelet for one deployment, in
 * small steps. Each step reads the current state from the server, and thereby also reacts
 * to changes made through the API.
 */
final class DeploymentSimulation {

	private static final String DEPLOYMENTS = "deployments.apps";

	private static final String REPLICA_SETS = "replicasets.apps";

	private final EmbeddedKubernetes kubernetes;

	private final String namespace;

	private final String name;

	private final String image;

	private final List<String> nodes;

	private final Random random;

	private int rollouts;

	DeploymentSimulation(EmbeddedKubernetes kubernetes, String namespace, String name, String image, List<String> nodes,
			Random random) {
		this.kubernetes = kubernetes;
		this.namespace = namespace;
		this.name = name;
		this.image = image;
		this.nodes = nodes;
		this.random = random;
	}

	/**
	 * Roll the deployment to a new image, unless a rollout is in progress.
	 */
	void roll() {
		ObjectNode deployment = deployment().orElse(null);
		if (deployment == null || !isComplete(deployment)) {
			return;
		}
		this.rollouts++;
		String container = Json.text(deployment.path("spec").path("template").path("spec").path("containers").path(0),
				"name");
		this.kubernetes.mergePatch(DEPLOYMENTS, this.namespace, this.name, """
				{"metadata":{"annotations":{"%s":"%d"}},
				 "spec":{"template":{"spec":{"containers":[{"name":"%s","image":"%s-r%d"}]}}}}"""
			.formatted(WorkloadObjects.REVISION, this.rollouts + 1, container, this.image, this.rollouts));
	}

	/**
	 * Delete one ready pod, like an eviction.
	 */
	void evict() {
		deployment().filter(DeploymentSimulation::isComplete).ifPresent((deployment) -> {
			List<ObjectNode> pods = new ArrayList<>();
			replicaSets(deployment).forEach((replicaSet) -> pods.addAll(pods(replicaSet)));
			if (!pods.isEmpty()) {
				delete(pods.get(this.random.nextInt(pods.size())));
			}
		});
	}

	void step() {
		Optional<ObjectNode> found = deployment();
		if (found.isEmpty()) {
			removeOrphans();
			return;
		}
		ObjectNode deployment = found.get();
		ObjectNode current = currentReplicaSet(deployment);
		List<ObjectNode> fresh = pods(current);
		List<ObjectNode> old = new ArrayList<>();
		for (ObjectNode replicaSet : replicaSets(deployment)) {
			if (!isSame(replicaSet, current)) {
				old.addAll(pods(replicaSet));
			}
		}
		scale(deployment, current, fresh, old);
		fresh.forEach(this::advance);
		old.forEach(this::advance);
		report(deployment, current);
	}

	private void scale(ObjectNode deployment, ObjectNode current, List<ObjectNode> fresh, List<ObjectNode> old) {
		int wanted = deployment.path("spec").path("replicas").asInt(1);
		int most = old.isEmpty() ? wanted : wanted + 1;
		int creations = Math.min(wanted - fresh.size(), most - fresh.size() - old.size());
		for (int i = 0; i < creations; i++) {
			this.kubernetes.create(WorkloadObjects.pod(current, this.random));
		}
		for (int i = fresh.size() - 1; i >= wanted; i--) {
			delete(fresh.remove(i));
		}
		long ready = fresh.stream().filter(WorkloadObjects::isReady).count()
				+ old.stream().filter(WorkloadObjects::isReady).count();
		for (int i = old.size() - 1; i >= 0; i--) {
			boolean isReady = WorkloadObjects.isReady(old.get(i));
			if (!isReady || ready > wanted) {
				ready -= isReady ? 1 : 0;
				delete(old.remove(i));
			}
		}
	}

	private void advance(ObjectNode pod) {
		if (this.random.nextInt(3) == 0) {
			return;
		}
		String podName = Json.text(pod.path("metadata"), "name");
		if (!WorkloadObjects.isScheduled(pod)) {
			String node = this.nodes.get(this.random.nextInt(this.nodes.size()));
			this.kubernetes.mergePatch("pods", this.namespace, podName, WorkloadObjects.scheduled(node));
		}
		else if (!WorkloadObjects.isReady(pod)) {
			this.kubernetes.mergePatch("pods", this.namespace, podName, WorkloadObjects.ready(pod, this.random));
		}
	}

	private void report(ObjectNode deployment, ObjectNode current) {
		Replicas all = Replicas.NONE;
		Replicas updated = Replicas.NONE;
		for (ObjectNode replicaSet : replicaSets(deployment)) {
			Replicas own = Replicas.of(pods(replicaSet));
			all = all.plus(own);
			updated = isSame(replicaSet, current) ? own : updated;
			report(replicaSet, own);
		}
		int wanted = deployment.path("spec").path("replicas").asInt(1);
		ObjectNode patch = Json.object();
		ObjectNode status = patch.putObject("status");
		status.set("observedGeneration", deployment.path("metadata").path("generation"));
		put(status, "replicas", all.total());
		put(status, "updatedReplicas", updated.total());
		put(status, "readyReplicas", all.ready());
		put(status, "availableReplicas", all.ready());
		put(status, "unavailableReplicas", Math.max(0, Math.max(wanted, all.total()) - all.ready()));
		this.kubernetes.mergePatch(DEPLOYMENTS, this.namespace, this.name, patch);
	}

	private void report(ObjectNode replicaSet, Replicas replicas) {
		ObjectNode patch = Json.object();
		patch.putObject("spec").put("replicas", replicas.total());
		ObjectNode status = patch.putObject("status").put("replicas", replicas.total());
		put(status, "fullyLabeledReplicas", replicas.total());
		put(status, "readyReplicas", replicas.ready());
		put(status, "availableReplicas", replicas.ready());
		String replicaSetName = Json.text(replicaSet.path("metadata"), "name");
		ObjectNode changed = this.kubernetes.mergePatch(REPLICA_SETS, this.namespace, replicaSetName, patch);
		this.kubernetes.mergePatch(REPLICA_SETS, this.namespace, replicaSetName,
				Map.of("status", Map.of("observedGeneration", changed.path("metadata").path("generation").asLong())));
	}

	/**
	 * Set a count in a status. A count of zero is omitted, as Go omits it.
	 */
	private static void put(ObjectNode status, String field, int count) {
		if (count > 0) {
			status.put(field, count);
		}
		else {
			status.putNull(field);
		}
	}

	private ObjectNode currentReplicaSet(ObjectNode deployment) {
		JsonNode wanted = deployment.path("spec").path("template").path("spec");
		for (ObjectNode replicaSet : replicaSets(deployment)) {
			if (replicaSet.path("spec").path("template").path("spec").equals(wanted)) {
				return replicaSet;
			}
		}
		String revision = Json.text(deployment.path("metadata").path("annotations"), WorkloadObjects.REVISION);
		return this.kubernetes.create(WorkloadObjects.replicaSet(deployment, revision, this.random));
	}

	private static boolean isComplete(ObjectNode deployment) {
		JsonNode status = deployment.path("status");
		int wanted = deployment.path("spec").path("replicas").asInt(1);
		return status.path("observedGeneration").asLong(0) == deployment.path("metadata").path("generation").asLong(0)
				&& status.path("updatedReplicas").asInt(0) == wanted && status.path("replicas").asInt(0) == wanted
				&& status.path("availableReplicas").asInt(0) == wanted;
	}

	private void removeOrphans() {
		for (ObjectNode replicaSet : this.kubernetes.list(REPLICA_SETS, this.namespace)) {
			if (Json.text(replicaSet.path("metadata").path("labels"), "app").equals(this.name)) {
				pods(replicaSet).forEach(this::delete);
				this.kubernetes.delete(REPLICA_SETS, this.namespace, Json.text(replicaSet.path("metadata"), "name"));
			}
		}
	}

	private Optional<ObjectNode> deployment() {
		return this.kubernetes.get(DEPLOYMENTS, this.namespace, this.name);
	}

	private List<ObjectNode> replicaSets(ObjectNode deployment) {
		return owned(REPLICA_SETS, deployment);
	}

	private List<ObjectNode> pods(ObjectNode replicaSet) {
		return owned("pods", replicaSet);
	}

	private List<ObjectNode> owned(String resource, ObjectNode owner) {
		List<ObjectNode> owned = new ArrayList<>(this.kubernetes.list(resource, this.namespace));
		owned.removeIf((object) -> !WorkloadObjects.isOwnedBy(object, owner));
		return owned;
	}

	private void delete(ObjectNode pod) {
		this.kubernetes.delete("pods", this.namespace, Json.text(pod.path("metadata"), "name"));
	}

	private static boolean isSame(ObjectNode one, ObjectNode other) {
		return one.path("metadata").path("uid").equals(other.path("metadata").path("uid"));
	}

	/**
	 * Number of pods, and of ready pods.
	 */
	private record Replicas(int total, int ready) {

		private static final Replicas NONE = new Replicas(0, 0);

		static Replicas of(List<ObjectNode> pods) {
			return new Replicas(pods.size(), (int) pods.stream().filter(WorkloadObjects::isReady).count());
		}

		Replicas plus(Replicas other) {
			return new Replicas(this.total + other.total, this.ready + other.ready);
		}

	}

}
