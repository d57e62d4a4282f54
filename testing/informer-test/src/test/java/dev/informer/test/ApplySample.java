/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Random;
import java.util.function.Supplier;

import dev.informer.test.store.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kind of the objects of {@link ApplySequence}, with random parts.
 */
enum ApplySample {

	/**
	 * A Deployment.
	 */
	DEPLOYMENT("apps/v1", "Deployment", "deployments") {

		@Override
		void spec(Random random, ObjectNode object, boolean complete) {
			ObjectNode spec = object.putObject("spec");
			maybe(random, spec, "replicas", () -> number(random));
			maybe(random, spec, "minReadySeconds", () -> number(random));
			maybe(random, spec, "paused", () -> Json.MAPPER.valueToTree(random.nextBoolean()));
			maybe(random, spec, "revisionHistoryLimit", () -> number(random));
			if (random.nextInt(4) == 0) {
				ObjectNode update = spec.putObject("strategy").put("type", "RollingUpdate").putObject("rollingUpdate");
				maybe(random, update, "maxSurge", () -> number(random));
				maybe(random, update, "maxUnavailable", () -> text("10%"));
			}
			workload(random, spec, complete);
		}

		@Override
		void status(Random random, ObjectNode status) {
			int replicas = 1 + random.nextInt(3);
			status.put("replicas", replicas);
			maybe(random, status, "readyReplicas", () -> Json.MAPPER.valueToTree(1));
			maybe(random, status, "observedGeneration", () -> number(random));
			maybe(random, status, "conditions", () -> conditions(random, false));
		}

	},

	/**
	 * A Service.
	 */
	SERVICE("v1", "Service", "services") {

		@Override
		void spec(Random random, ObjectNode object, boolean complete) {
			ObjectNode spec = object.putObject("spec");
			if (complete || random.nextInt(3) == 0) {
				ArrayNode ports = spec.putArray("ports");
				for (int port : new int[] { 80, 443, 9 }) {
					if (random.nextInt(2) == 0) {
						ObjectNode node = ports.addObject().put("name", "p" + port).put("port", port);
						maybe(random, node, "protocol", () -> text("TCP"));
						maybe(random, node, "targetPort", () -> number(random));
						maybe(random, node, "appProtocol", () -> text("http"));
					}
				}
			}
			maybe(random, spec, "selector", () -> labels(random));
			maybe(random, spec, "sessionAffinity", () -> text(random.nextBoolean() ? "None" : "ClientIP"));
			maybe(random, spec, "publishNotReadyAddresses", () -> Json.MAPPER.valueToTree(random.nextBoolean()));
			maybe(random, spec, "internalTrafficPolicy", () -> text(random.nextBoolean() ? "Local" : "Cluster"));
		}

		@Override
		void status(Random random, ObjectNode status) {
			status.set("conditions", conditions(random, true));
		}

	},

	/**
	 * A ConfigMap.
	 */
	CONFIG_MAP("v1", "ConfigMap", "configmaps") {

		@Override
		void spec(Random random, ObjectNode object, boolean complete) {
			maybe(random, object, "data", () -> labels(random));
			maybe(random, object, "binaryData", () -> Json.object().put("b", random.nextBoolean() ? "YQ==" : "Yg=="));
			ObjectNode metadata = Json.childObject(object, "metadata");
			if (random.nextInt(3) == 0) {
				ArrayNode finalizers = metadata.putArray("finalizers");
				finalizers.add("example.com/" + "abc".charAt(random.nextInt(3)));
			}
			if (random.nextInt(3) == 0) {
				ArrayNode owners = metadata.putArray("ownerReferences");
				int first = random.nextInt(3);
				for (int i = first; i < 3; i++) {
					owners.addObject()
						.put("apiVersion", "v1")
						.put("kind", "ConfigMap")
						.put("name", "owner")
						.put("uid", "0000000" + i)
						.put("blockOwnerDeletion", random.nextBoolean());
				}
			}
		}

		@Override
		void status(Random random, ObjectNode status) {
			status.put("none", true);
		}

	},

	/**
	 * A StatefulSet.
	 */
	STATEFUL_SET("apps/v1", "StatefulSet", "statefulsets") {

		@Override
		void spec(Random random, ObjectNode object, boolean complete) {
			ObjectNode spec = object.putObject("spec");
			spec.put("serviceName", "s");
			maybe(random, spec, "replicas", () -> number(random));
			maybe(random, spec, "minReadySeconds", () -> number(random));
			if (random.nextInt(4) == 0) {
				spec.putObject("updateStrategy").put("type", random.nextBoolean() ? "OnDelete" : "RollingUpdate");
			}
			if (random.nextInt(4) == 0) {
				spec.putObject("persistentVolumeClaimRetentionPolicy").put("whenDeleted", "Delete");
			}
			workload(random, spec, complete);
		}

		@Override
		void status(Random random, ObjectNode status) {
			status.put("replicas", 3);
			maybe(random, status, "readyReplicas", () -> number(random));
			maybe(random, status, "currentRevision", () -> text("r" + random.nextInt(2)));
			maybe(random, status, "conditions", () -> conditions(random, false));
		}

	},

	/**
	 * A custom resource with lists and maps of all types.
	 */
	WIDGET("apply.example.com/v1", "Widget", "widgets") {

		@Override
		void spec(Random random, ObjectNode object, boolean complete) {
			ObjectNode spec = object.putObject("spec");
			maybe(random, spec, "size", () -> number(random));
			maybe(random, spec, "tags", () -> {
				ArrayNode tags = Json.MAPPER.createArrayNode();
				"abc".chars()
					.filter((letter) -> random.nextBoolean())
					.forEach((letter) -> tags.add("" + (char) letter));
				return tags;
			});
			maybe(random, spec, "parts", () -> {
				ArrayNode parts = Json.MAPPER.createArrayNode();
				for (int port : new int[] { 9, 80 }) {
					if (random.nextBoolean()) {
						ObjectNode part = parts.addObject().put("port", port);
						maybe(random, part, "protocol", () -> text(random.nextBoolean() ? "TCP" : "UDP"));
						maybe(random, part, "size", () -> number(random));
						maybe(random, part, "labels", () -> labels(random));
					}
				}
				return parts;
			});
			maybe(random, spec, "steps", () -> Json.MAPPER.createArrayNode().add("x").add("y" + random.nextInt(2)));
			maybe(random, spec, "color", () -> labels(random));
			maybe(random, spec, "options", () -> labels(random));
			maybe(random, spec, "free", () -> {
				ObjectNode free = labels(random);
				free.putObject("deep").set("list", Json.MAPPER.createArrayNode().add(random.nextInt(2)));
				return free;
			});
			maybe(random, spec, "limit", () -> random.nextBoolean() ? text("1m") : number(random));
		}

		@Override
		void status(Random random, ObjectNode status) {
			maybe(random, status, "phase", () -> text(random.nextBoolean() ? "Ready" : "Failed"));
			maybe(random, status, "conditions", () -> conditions(random, true));
		}

	};

	/** The definition of the custom resource. */
	static final String WIDGETS = """
			{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
			 "metadata":{"name":"widgets.apply.example.com"},
			 "spec":{"group":"apply.example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
			  "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
			   "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{
			    "size":{"type":"integer"},
			    "level":{"type":"integer","default":7},
			    "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
			    "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["port","protocol"],
			     "items":{"type":"object","required":["port"],"properties":{"port":{"type":"integer"},
			      "protocol":{"type":"string","default":"TCP"},"size":{"type":"integer"},
			      "labels":{"type":"object","additionalProperties":{"type":"string"}}}}},
			    "steps":{"type":"array","items":{"type":"string"}},
			    "color":{"type":"object","x-kubernetes-map-type":"atomic","additionalProperties":{"type":"string"}},
			    "options":{"type":"object","additionalProperties":{"type":"string"}},
			    "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
			    "limit":{"x-kubernetes-int-or-string":true}}},
			   "status":{"type":"object","properties":{"phase":{"type":"string"},
			    "conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],
			     "items":{"type":"object","required":["type"],"properties":{"type":{"type":"string"},
			      "status":{"type":"string"},"reason":{"type":"string"},"message":{"type":"string"},
			      "lastTransitionTime":{"type":"string","format":"date-time"}}}}}}}}}}]}}""";

	private final String apiVersion;

	private final String kind;

	private final String plural;

	ApplySample(String apiVersion, String kind, String plural) {
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.plural = plural;
	}

	String apiVersion() {
		return this.apiVersion;
	}

	String kind() {
		return this.kind;
	}

	String path(String namespace) {
		return (this.apiVersion.contains("/") ? "/apis/" : "/api/") + this.apiVersion + "/namespaces/" + namespace + "/"
				+ this.plural;
	}

	/**
	 * Return a configuration.
	 * @param complete whether it has what the kind requires
	 */
	ObjectNode configuration(Random random, boolean complete) {
		ObjectNode object = Json.object();
		ObjectNode metadata = object.putObject("metadata");
		maybe(random, metadata, "labels", () -> labels(random));
		maybe(random, metadata, "annotations", () -> labels(random));
		spec(random, object, complete);
		return object;
	}

	/**
	 * Return a merge patch.
	 */
	ObjectNode patch(Random random) {
		ObjectNode patch = configuration(random, false);
		if (random.nextInt(3) == 0) {
			Json.childObject(patch, "metadata").putNull(random.nextBoolean() ? "labels" : "annotations");
		}
		if (patch.get("spec") instanceof ObjectNode spec) {
			spec.remove("template");
			spec.remove("selector");
			if (random.nextInt(3) == 0) {
				spec.propertyNames().stream().findFirst().ifPresent(spec::putNull);
			}
		}
		return patch;
	}

	ObjectNode status(Random random) {
		ObjectNode object = Json.object();
		if (random.nextInt(4) == 0) {
			object.putObject("metadata").set("annotations", labels(random));
		}
		status(random, object.putObject("status"));
		return object;
	}

	abstract void spec(Random random, ObjectNode object, boolean complete);

	abstract void status(Random random, ObjectNode status);

	private static void workload(Random random, ObjectNode spec, boolean complete) {
		if (!complete && random.nextInt(3) > 0) {
			return;
		}
		if (complete) {
			spec.putObject("selector").putObject("matchLabels").put("app", "a");
		}
		ObjectNode template = spec.putObject("template");
		ObjectNode metadata = template.putObject("metadata");
		if (complete) {
			metadata.putObject("labels").put("app", "a");
		}
		maybe(random, metadata, "annotations", () -> labels(random));
		ObjectNode pod = template.putObject("spec");
		ArrayNode containers = pod.putArray("containers");
		for (String name : new String[] { "main", "side" }) {
			if ((complete && name.equals("main")) || random.nextInt(3) == 0) {
				container(random, containers.addObject().put("name", name), complete || name.equals("side"));
			}
		}
		maybe(random, pod, "nodeSelector", () -> labels(random));
		maybe(random, pod, "terminationGracePeriodSeconds", () -> number(random));
		maybe(random, pod, "tolerations", () -> {
			ArrayNode tolerations = Json.MAPPER.createArrayNode();
			tolerations.addObject().put("key", "k" + random.nextInt(2)).put("operator", "Exists");
			return tolerations;
		});
		maybe(random, pod, "imagePullSecrets", () -> {
			ArrayNode secrets = Json.MAPPER.createArrayNode();
			secrets.addObject().put("name", "s" + random.nextInt(2));
			return secrets;
		});
		if (complete && random.nextInt(3) == 0) {
			ArrayNode volumes = pod.putArray("volumes");
			volumes.addObject().put("name", "v1").putObject("configMap").put("name", "c" + random.nextInt(2));
			volumes.addObject().put("name", "v2");
		}
	}

	private static void container(Random random, ObjectNode container, boolean complete) {
		if (complete) {
			container.put("image", "example.com/c:" + random.nextInt(2));
		}
		maybe(random, container, "args", () -> Json.MAPPER.createArrayNode().add("a").add("b" + random.nextInt(2)));
		maybe(random, container, "env", () -> {
			ArrayNode env = Json.MAPPER.createArrayNode();
			for (String name : new String[] { "A", "B", "C" }) {
				if (random.nextBoolean()) {
					env.addObject().put("name", name).put("value", "v" + random.nextInt(2));
				}
			}
			return env;
		});
		maybe(random, container, "ports", () -> {
			ArrayNode ports = Json.MAPPER.createArrayNode();
			for (int port : new int[] { 8080, 53 }) {
				if (random.nextBoolean()) {
					ObjectNode node = ports.addObject().put("containerPort", port);
					maybe(random, node, "protocol", () -> text("TCP"));
					maybe(random, node, "name", () -> text("n" + port));
				}
			}
			return ports;
		});
		maybe(random, container, "resources", () -> {
			ObjectNode resources = Json.object();
			resources.putObject("limits").put("cpu", random.nextBoolean() ? "1" : "500m");
			return resources;
		});
		maybe(random, container, "readinessProbe", () -> {
			ObjectNode probe = Json.object();
			probe.putObject("httpGet").put("port", 8080 + random.nextInt(2));
			return probe;
		});
	}

	private static ArrayNode conditions(Random random, boolean complete) {
		ArrayNode conditions = Json.MAPPER.createArrayNode();
		for (String type : new String[] { "Ready", "Available" }) {
			if (random.nextBoolean()) {
				ObjectNode condition = conditions.addObject()
					.put("type", type)
					.put("status", random.nextBoolean() ? "True" : "False");
				if (complete) {
					condition.put("reason", "R" + random.nextInt(2))
						.put("message", "m")
						.put("lastTransitionTime", "2026-01-01T00:00:00Z");
				}
				else {
					maybe(random, condition, "reason", () -> text("R" + random.nextInt(2)));
				}
			}
		}
		return conditions;
	}

	private static ObjectNode labels(Random random) {
		ObjectNode labels = Json.object();
		for (String name : new String[] { "a", "b", "c" }) {
			if (random.nextBoolean()) {
				labels.put(name, "v" + random.nextInt(2));
			}
		}
		return labels;
	}

	private static JsonNode number(Random random) {
		return Json.MAPPER.valueToTree(1 + random.nextInt(3));
	}

	private static JsonNode text(String text) {
		return Json.MAPPER.valueToTree(text);
	}

	private static void maybe(Random random, ObjectNode node, String name, Supplier<JsonNode> value) {
		if (random.nextInt(3) == 0) {
			node.set(name, value.get());
		}
	}

}
