/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.test.ResourceDefinition;
import tools.jackson.databind.JsonNode;

/**
 * Fields that the field selector of a resource supports, as declared by the real server.
 *
 * @param names the fields
 * @param declared whether the resource declares additional fields, which changes the text
 * of errors
 */
record FieldLabels(List<String> names, boolean declared) {

	private static final List<String> BY_NAME = List.of("metadata.name", "metadata.namespace");

	private static final FieldLabels DEFAULT = new FieldLabels(BY_NAME, false);

	private static final FieldLabels CUSTOM = new FieldLabels(BY_NAME, true);

	private static final List<String> EVENT = List.of("metadata.name", "metadata.namespace", "involvedObject.kind",
			"involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "involvedObject.apiVersion",
			"involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent", "source",
			"type");

	private static final Map<String, FieldLabels> DECLARED = Map.ofEntries(
			declare("pods", "spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
					"spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"),
			declare("nodes", "spec.unschedulable"), declare("namespaces", "status.phase"), declare("secrets", "type"),
			declare("services", "spec.clusterIP", "spec.type"), declare("replicationcontrollers", "status.replicas"),
			declare("jobs.batch", "status.successful"),
			declare("certificatesigningrequests.certificates.k8s.io", "spec.signerName"),
			Map.entry("events", new FieldLabels(EVENT, true)),
			Map.entry("events.events.k8s.io", new FieldLabels(EVENT, true)));

	static FieldLabels of(ResourceDefinition definition) {
		return definition.builtIn() ? DECLARED.getOrDefault(definition.resource(), DEFAULT) : CUSTOM;
	}

	private static Map.Entry<String, FieldLabels> declare(String resource, String... fields) {
		List<String> names = new ArrayList<>(BY_NAME);
		names.addAll(List.of(fields));
		return Map.entry(resource, new FieldLabels(List.copyOf(names), true));
	}

	/**
	 * Return the values of the fields other than name and namespace.
	 */
	Map<String, String> values(JsonNode tree) {
		if (this.names.size() == BY_NAME.size()) {
			return Map.of();
		}
		Map<String, String> values = new LinkedHashMap<>();
		for (String name : this.names) {
			if (!BY_NAME.contains(name)) {
				values.put(name, value(tree, name));
			}
		}
		return values;
	}

	private static String value(JsonNode tree, String name) {
		JsonNode node = tree;
		for (String part : name.split("\\.")) {
			node = node.path(part);
		}
		if (node.isMissingNode() && (name.equals("spec.hostNetwork") || name.equals("spec.unschedulable"))) {
			return "false";
		}
		return node.isValueNode() ? node.asString("") : "";
	}

}
