/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.apply.UpdateScope;
import tools.jackson.databind.node.ObjectNode;

/**
 * Status of new objects. The status in a create request is ignored, as on the real
 * server. The status given to the Java API is kept, so that a test can create a running
 * pod in one step.
 */
final class InitialStatus {

	private InitialStatus() {
	}

	static void apply(ResourceDefinition definition, ObjectNode tree, UpdateScope scope) {
		boolean keeps = scope == UpdateScope.EVERYTHING || !definition.status()
				|| definition.resource().equals("nodes");
		if (keeps && tree.hasNonNull("status")) {
			return;
		}
		if (!definition.status()) {
			return;
		}
		tree.remove("status");
		if (definition.builtIn()) {
			initialize(definition, tree.putObject("status"));
		}
	}

	private static void initialize(ResourceDefinition definition, ObjectNode status) {
		switch (definition.resource()) {
			case "pods" -> status.put("phase", "Pending").put("qosClass", "BestEffort");
			case "namespaces" -> status.put("phase", "Active");
			case "persistentvolumes", "persistentvolumeclaims" -> status.put("phase", "Pending");
			case "services", "ingresses.networking.k8s.io" -> status.putObject("loadBalancer");
			case "statefulsets.apps" -> status.put("replicas", 0).put("availableReplicas", 0);
			default -> {
				// empty
			}
		}
	}

}
