/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Random;

import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects of a workload, as created by their controllers.
 */
final class WorkloadObjects {

	private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

	static final String REVISION = "deployment.kubernetes.io/revision";

	private WorkloadObjects() {
	}

	static ObjectNode namespace(String name) {
		return Json.tree("""
				{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}""".formatted(name));
	}

	static ObjectNode node(String name) {
		return Json.tree("""
				{"apiVersion":"v1","kind":"Node",
				 "metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s","kubernetes.io/os":"linux"}},
				 "spec":{},
				 "status":{"capacity":{"cpu":"8","memory":"32Gi","pods":"110"},
				  "allocatable":{"cpu":"8","memory":"32Gi","pods":"110"},
				  "addresses":[{"type":"Hostname","address":"%1$s"}],
				  "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady"}]}}""".formatted(name));
	}

	static ObjectNode configMap(String namespace, String name, String label, String value) {
		return Json.tree("""
				{"apiVersion":"v1","kind":"ConfigMap",
				 "metadata":{"name":"%s","namespace":"%s","labels":{"%s":"%s"}},"data":{"revision":"1"}}"""
			.formatted(name, namespace, label, value));
	}

	static ObjectNode deployment(String namespace, String name, int replicas, String image) {
		return Json.tree("""
				{"apiVersion":"apps/v1","kind":"Deployment",
				 "metadata":{"name":"%1$s","namespace":"%2$s","labels":{"app":"%1$s"},"annotations":{"%5$s":"1"}},
				 "spec":{"replicas":%3$d,"selector":{"matchLabels":{"app":"%1$s"}},
				  "template":{"metadata":{"labels":{"app":"%1$s"}},
				   "spec":{"containers":[{"name":"%1$s","image":"%4$s"}]}},
				  "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":0,"maxSurge":1}}}}"""
			.formatted(name, namespace, replicas, image, REVISION));
	}

	static ObjectNode replicaSet(ObjectNode deployment, String revision, Random random) {
		String app = Json.text(deployment.path("metadata"), "name");
		String hash = suffix(random, 10);
		ObjectNode replicaSet = Json.object().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
		ObjectNode metadata = replicaSet.putObject("metadata");
		metadata.put("name", app + "-" + hash);
		metadata.set("namespace", deployment.path("metadata").path("namespace"));
		metadata.putObject("labels").put("app", app).put("pod-template-hash", hash);
		metadata.putObject("annotations").put(REVISION, revision);
		own(metadata, deployment);
		ObjectNode spec = replicaSet.putObject("spec").put("replicas", 0);
		spec.putObject("selector").putObject("matchLabels").put("app", app).put("pod-template-hash", hash);
		ObjectNode template = (ObjectNode) deployment.path("spec").path("template").deepCopy();
		Json.childObject(Json.childObject(template, "metadata"), "labels").put("pod-template-hash", hash);
		spec.set("template", template);
		return replicaSet;
	}

	static ObjectNode pod(ObjectNode replicaSet, Random random) {
		String owner = Json.text(replicaSet.path("metadata"), "name");
		ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
		ObjectNode metadata = pod.putObject("metadata");
		metadata.put("name", owner + "-" + suffix(random, 5)).put("generateName", owner + "-");
		metadata.set("namespace", replicaSet.path("metadata").path("namespace"));
		metadata.set("labels", replicaSet.path("metadata").path("labels"));
		own(metadata, replicaSet);
		pod.set("spec", replicaSet.path("spec").path("template").path("spec"));
		pod.putObject("status").put("phase", "Pending").put("qosClass", "BestEffort");
		return pod;
	}

	/**
	 * Create the patch of the scheduler for a pod.
	 */
	static ObjectNode scheduled(String node) {
		return Json.tree("""
				{"spec":{"nodeName":"%s"},
				 "status":{"conditions":[{"type":"PodScheduled","status":"True","lastTransitionTime":"%s"}]}}"""
			.formatted(node, ObjectMetadata.now()));
	}

	/**
	 * Create the patch of the kubelet for a pod whose containers run.
	 */
	static ObjectNode ready(ObjectNode pod, Random random) {
		JsonNode container = pod.path("spec").path("containers").path(0);
		return Json.tree("""
				{"status":{"phase":"Running","podIP":"10.42.%1$d.%2$d","startTime":"%3$s",
				 "conditions":[{"type":"PodScheduled","status":"True","lastTransitionTime":"%3$s"},
				  {"type":"Initialized","status":"True","lastTransitionTime":"%3$s"},
				  {"type":"ContainersReady","status":"True","lastTransitionTime":"%3$s"},
				  {"type":"Ready","status":"True","lastTransitionTime":"%3$s"}],
				 "containerStatuses":[{"name":"%4$s","image":"%5$s","imageID":"","ready":true,"restartCount":0,
				  "started":true,"state":{"running":{"startedAt":"%3$s"}}}]}}""".formatted(random.nextInt(256),
				random.nextInt(256), ObjectMetadata.now(), Json.text(container, "name"),
				Json.text(container, "image")));
	}

	static boolean isScheduled(ObjectNode pod) {
		return pod.path("spec").hasNonNull("nodeName");
	}

	static boolean isReady(ObjectNode pod) {
		for (JsonNode condition : pod.path("status").path("conditions")) {
			if (Json.text(condition, "type").equals("Ready")) {
				return Json.text(condition, "status").equals("True");
			}
		}
		return false;
	}

	static boolean isOwnedBy(ObjectNode object, ObjectNode owner) {
		String uid = Json.text(owner.path("metadata"), "uid");
		for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
			if (Json.text(reference, "uid").equals(uid)) {
				return true;
			}
		}
		return false;
	}

	private static void own(ObjectNode metadata, ObjectNode owner) {
		metadata.putArray("ownerReferences")
			.addObject()
			.put("apiVersion", Json.text(owner, "apiVersion"))
			.put("kind", Json.text(owner, "kind"))
			.put("name", Json.text(owner.path("metadata"), "name"))
			.put("uid", Json.text(owner.path("metadata"), "uid"))
			.put("controller", true)
			.put("blockOwnerDeletion", true);
	}

	private static String suffix(Random random, int length) {
		StringBuilder suffix = new StringBuilder(length);
		for (int i = 0; i < length; i++) {
			suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
		}
		return suffix.toString();
	}

}
