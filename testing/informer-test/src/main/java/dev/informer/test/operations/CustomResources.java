/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.apply.FieldTypes;
import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.Store;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Resources defined by CustomResourceDefinition objects. All methods are called with the
 * store's lock held.
 */
final class CustomResources {

	private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

	private final Store store;

	private final ResourceTable table;

	private final FieldTypes types;

	CustomResources(Store store, ResourceTable table, FieldTypes types) {
		this.store = store;
		this.table = table;
		this.types = types;
	}

	/**
	 * Validate a definition and set its defaults.
	 */
	void beforeWrite(ResourceDefinition definition, ObjectNode tree) {
		if (!definition.resource().equals(DEFINITIONS)) {
			return;
		}
		ObjectNode spec = Json.childObject(tree, "spec");
		ObjectNode names = Json.childObject(spec, "names");
		String name = Json.text(tree.path("metadata"), "name");
		String expected = Json.text(names, "plural") + "." + Json.text(spec, "group");
		if (!name.equals(expected)) {
			throw StatusErrors.invalid(definition.group(), definition.kind(), name, "FieldValueInvalid",
					"metadata.name",
					"Invalid value: " + StatusErrors.quoted(name) + ": must be spec.names.plural+\".\"+spec.group");
		}
		if (spec.path("versions").isEmpty()) {
			throw StatusErrors.invalid(definition.group(), definition.kind(), name, "FieldValueRequired",
					"spec.versions", "Required value");
		}
		String kind = Json.text(names, "kind");
		putIfAbsent(names, "singular", kind.toLowerCase(Locale.ROOT));
		putIfAbsent(names, "listKind", kind + "List");
		ObjectNode conversion = Json.childObject(spec, "conversion");
		putIfAbsent(conversion, "strategy", "None");
		establish(Json.childObject(tree, "status"), spec, names);
	}

	private static void establish(ObjectNode status, ObjectNode spec, ObjectNode names) {
		if (status.path("conditions").isEmpty()) {
			ArrayNode conditions = status.putArray("conditions");
			condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
			condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted");
		}
		status.set("acceptedNames", names.deepCopy());
		ArrayNode stored = status.putArray("storedVersions");
		for (JsonNode version : spec.path("versions")) {
			if (version.path("storage").asBoolean(false)) {
				stored.add(Json.text(version, "name"));
			}
		}
	}

	private static void condition(ArrayNode conditions, String type, String reason, String message) {
		conditions.addObject()
			.put("type", type)
			.put("status", "True")
			.put("lastTransitionTime", ObjectMetadata.now())
			.put("reason", reason)
			.put("message", message);
	}

	private static void putIfAbsent(ObjectNode node, String name, String value) {
		if (!node.hasNonNull(name)) {
			node.put(name, value);
		}
	}

	/**
	 * Serve the resource of a definition.
	 */
	void afterWrite(ResourceDefinition definition, ObjectNode tree) {
		if (definition.resource().equals(DEFINITIONS)) {
			for (Version version : versions(tree)) {
				if (version.served()) {
					this.table.add(version.definition());
					this.types.define(version.definition(), version.schema());
				}
				else {
					this.table.remove(version.definition());
				}
			}
		}
	}

	/**
	 * Stop serving the resource of a definition. Its objects are removed, even those with
	 * finalizers.
	 */
	void afterDelete(ResourceDefinition definition, ObjectNode tree) {
		if (!definition.resource().equals(DEFINITIONS)) {
			return;
		}
		List<Version> versions = versions(tree);
		versions.forEach((version) -> {
			this.table.remove(version.definition());
			this.types.remove(version.definition());
		});
		if (!versions.isEmpty()) {
			ResourceDefinition any = versions.get(0).definition();
			this.store.resource(any).objects("").forEach(this.store::remove);
			this.store.retire(any);
		}
	}

	private static List<Version> versions(ObjectNode tree) {
		JsonNode spec = tree.path("spec");
		List<Version> versions = new ArrayList<>();
		for (JsonNode version : spec.path("versions")) {
			ResourceDefinition definition = new ResourceDefinition(Json.text(spec, "group"), Json.text(version, "name"),
					Json.text(spec.path("names"), "plural"), Json.text(spec.path("names"), "kind"),
					!Json.text(spec, "scope").equals("Cluster"), version.path("subresources").has("status"), false);
			versions.add(new Version(definition, version.path("served").asBoolean(true),
					version.path("schema").path("openAPIV3Schema")));
		}
		return versions;
	}

	private record Version(ResourceDefinition definition, boolean served, JsonNode schema) {
	}

}
