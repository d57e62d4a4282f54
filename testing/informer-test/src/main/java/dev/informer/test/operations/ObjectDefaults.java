/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.apply.FieldTypes;
import dev.informer.test.store.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Defaults of Deployments, StatefulSets and their pod templates, Services, Secrets,
 * Namespaces, and of custom resources by the schema of their definition.
 */
final class ObjectDefaults {

	private static final List<String> MODED_VOLUMES = List.of("secret", "configMap", "projected", "downwardAPI");

	private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");

	private ObjectDefaults() {
	}

	/**
	 * Set the defaults of an object. An empty list of owners is kept, because it is a
	 * request.
	 */
	static void apply(ResourceDefinition definition, ObjectNode object, FieldTypes types) {
		JsonNode owners = object.path("metadata").get("managedFields");
		if (definition.builtIn()) {
			applyBuiltIn(definition, object, types);
		}
		else {
			types.addDefaults(definition, object);
		}
		if (owners != null) {
			Json.childObject(object, "metadata").set("managedFields", owners);
		}
	}

	private static void applyBuiltIn(ResourceDefinition definition, ObjectNode object, FieldTypes types) {
		switch (definition.resource()) {
			case "deployments.apps" -> {
				normalize(definition, object, types);
				deployment(Json.childObject(object, "spec"));
			}
			case "statefulsets.apps" -> {
				normalize(definition, object, types);
				statefulSet(Json.childObject(object, "spec"));
			}
			case "services" -> {
				normalize(definition, object, types);
				service(Json.childObject(object, "spec"));
			}
			case "configmaps" -> normalize(definition, object, types);
			case "secrets" -> secret(object);
			case "namespaces" -> namespace(Json.childObject(object, "metadata"));
			default -> {
				// stored as it is
			}
		}
	}

	private static void normalize(ResourceDefinition definition, ObjectNode object, FieldTypes types) {
		ObjectNode normalized = types.normalized(definition, object);
		object.removeAll();
		object.setAll(normalized);
	}

	private static void deployment(ObjectNode spec) {
		put(spec, "replicas", 1);
		put(spec, "revisionHistoryLimit", 10);
		put(spec, "progressDeadlineSeconds", 600);
		ObjectNode strategy = Json.childObject(spec, "strategy");
		put(strategy, "type", "RollingUpdate");
		if (Json.text(strategy, "type").equals("RollingUpdate")) {
			ObjectNode rollingUpdate = Json.childObject(strategy, "rollingUpdate");
			put(rollingUpdate, "maxUnavailable", "25%");
			put(rollingUpdate, "maxSurge", "25%");
		}
		podTemplate(spec);
	}

	private static void statefulSet(ObjectNode spec) {
		put(spec, "replicas", 1);
		put(spec, "revisionHistoryLimit", 10);
		put(spec, "podManagementPolicy", "OrderedReady");
		ObjectNode strategy = Json.childObject(spec, "updateStrategy");
		if (!strategy.has("type")) {
			put(strategy, "type", "RollingUpdate");
			Json.childObject(strategy, "rollingUpdate");
		}
		if (Json.text(strategy, "type").equals("RollingUpdate") && strategy.has("rollingUpdate")) {
			ObjectNode rollingUpdate = Json.childObject(strategy, "rollingUpdate");
			put(rollingUpdate, "partition", 0);
			put(rollingUpdate, "maxUnavailable", 1);
		}
		ObjectNode retention = Json.childObject(spec, "persistentVolumeClaimRetentionPolicy");
		put(retention, "whenDeleted", "Retain");
		put(retention, "whenScaled", "Retain");
		podTemplate(spec);
	}

	private static void podTemplate(ObjectNode spec) {
		ObjectNode pod = Json.childObject(Json.childObject(spec, "template"), "spec");
		put(pod, "dnsPolicy", "ClusterFirst");
		put(pod, "restartPolicy", "Always");
		put(pod, "schedulerName", "default-scheduler");
		put(pod, "terminationGracePeriodSeconds", 30);
		Json.childObject(pod, "securityContext");
		pod.path("containers").forEach(ObjectDefaults::container);
		pod.path("initContainers").forEach(ObjectDefaults::container);
		for (JsonNode volume : pod.path("volumes")) {
			if (volume instanceof ObjectNode node && node.size() == 1) {
				node.putObject("emptyDir");
			}
			for (String source : MODED_VOLUMES) {
				if (volume.get(source) instanceof ObjectNode node) {
					put(node, "defaultMode", 420);
				}
			}
		}
	}

	private static void container(JsonNode node) {
		if (!(node instanceof ObjectNode container)) {
			return;
		}
		put(container, "imagePullPolicy", isLatest(Json.text(container, "image")) ? "Always" : "IfNotPresent");
		put(container, "terminationMessagePath", "/dev/termination-log");
		put(container, "terminationMessagePolicy", "File");
		for (JsonNode port : container.path("ports")) {
			if (port instanceof ObjectNode containerPort) {
				put(containerPort, "protocol", "TCP");
			}
		}
		for (JsonNode variable : container.path("env")) {
			if (variable.path("valueFrom").get("fieldRef") instanceof ObjectNode reference) {
				put(reference, "apiVersion", "v1");
			}
		}
		for (String name : PROBES) {
			if (container.get(name) instanceof ObjectNode probe) {
				probe(probe);
			}
		}
	}

	/**
	 * Return whether an image has the tag {@code latest}, or neither a tag nor a digest.
	 */
	private static boolean isLatest(String image) {
		String name = image.substring(image.lastIndexOf('/') + 1);
		return name.endsWith(":latest") || !(name.contains(":") || name.contains("@"));
	}

	private static void probe(ObjectNode probe) {
		put(probe, "timeoutSeconds", 1);
		put(probe, "periodSeconds", 10);
		put(probe, "successThreshold", 1);
		put(probe, "failureThreshold", 3);
		if (probe.get("httpGet") instanceof ObjectNode request) {
			put(request, "path", "/");
			put(request, "scheme", "HTTP");
		}
	}

	private static void service(ObjectNode spec) {
		put(spec, "sessionAffinity", "None");
		put(spec, "type", "ClusterIP");
		if (Json.text(spec, "sessionAffinity").equals("ClientIP")) {
			ObjectNode config = Json.childObject(spec, "sessionAffinityConfig");
			put(Json.childObject(config, "clientIP"), "timeoutSeconds", 10_800);
		}
		else {
			spec.remove("sessionAffinityConfig");
		}
		for (JsonNode port : spec.path("ports")) {
			if (port instanceof ObjectNode node) {
				put(node, "protocol", "TCP");
				JsonNode target = node.path("targetPort");
				if (target.asString("").isEmpty() || target.asString("").equals("0")) {
					node.set("targetPort", node.path("port"));
				}
			}
		}
		String type = Json.text(spec, "type");
		boolean external = type.equals("NodePort") || type.equals("LoadBalancer");
		if (external) {
			put(spec, "externalTrafficPolicy", "Cluster");
		}
		if (external || type.equals("ClusterIP")) {
			put(spec, "internalTrafficPolicy", "Cluster");
		}
		if (type.equals("LoadBalancer") && !spec.has("allocateLoadBalancerNodePorts")) {
			spec.put("allocateLoadBalancerNodePorts", true);
		}
	}

	private static void secret(ObjectNode secret) {
		JsonNode plain = secret.remove("stringData");
		if (plain != null) {
			ObjectNode data = Json.childObject(secret, "data");
			plain.forEachEntry((key, value) -> data.put(key,
					Base64.getEncoder().encodeToString(value.asString("").getBytes(StandardCharsets.UTF_8))));
		}
		put(secret, "type", "Opaque");
	}

	private static void namespace(ObjectNode metadata) {
		if (!Json.text(metadata, "name").isEmpty()) {
			Json.childObject(metadata, "labels").set("kubernetes.io/metadata.name", metadata.path("name"));
		}
	}

	private static void put(ObjectNode node, String name, String value) {
		if (!node.hasNonNull(name)) {
			node.put(name, value);
		}
	}

	private static void put(ObjectNode node, String name, int value) {
		if (!node.hasNonNull(name)) {
			node.put(name, value);
		}
	}

}
