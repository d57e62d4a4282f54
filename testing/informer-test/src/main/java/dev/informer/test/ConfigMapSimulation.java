/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Random;

import dev.informer.test.store.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulation that changes one ConfigMap. Most steps change the data; some remove or
 * restore the label, so that the object leaves and enters label selections.
 */
final class ConfigMapSimulation {

	private final EmbeddedKubernetes kubernetes;

	private final String namespace;

	private final String name;

	private final String label;

	private final String value;

	private final Random random;

	ConfigMapSimulation(EmbeddedKubernetes kubernetes, String namespace, String name, String label, String value,
			Random random) {
		this.kubernetes = kubernetes;
		this.namespace = namespace;
		this.name = name;
		this.label = label;
		this.value = value;
		this.random = random;
	}

	void change() {
		ObjectNode configMap = this.kubernetes.get("configmaps", this.namespace, this.name).orElse(null);
		if (configMap == null) {
			return;
		}
		boolean labelled = configMap.path("metadata").path("labels").has(this.label);
		ObjectNode patch = Json.object();
		if (!labelled || this.random.nextInt(4) == 0) {
			ObjectNode labels = patch.putObject("metadata").putObject("labels");
			if (labelled) {
				labels.putNull(this.label);
			}
			else {
				labels.put(this.label, this.value);
			}
		}
		else {
			int revision = Integer.parseInt(configMap.path("data").path("revision").asString("0"));
			patch.putObject("data").put("revision", Integer.toString(revision + 1));
		}
		this.kubernetes.mergePatch("configmaps", this.namespace, this.name, patch);
	}

}
