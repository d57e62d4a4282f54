/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.informer.test.ResourceDefinition;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Metadata that the server reads and writes.
 */
public final class ObjectMetadata {

	private static final List<String> ORDER = List.of("name", "generateName", "namespace", "selfLink", "uid",
			"resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
			"labels", "annotations", "ownerReferences", "finalizers", "managedFields");

	private static final Set<String> MAPS = Set.of("labels", "annotations");

	private static final List<String> OWNED_BY_SERVER = List.of("uid", "creationTimestamp", "deletionTimestamp",
			"deletionGracePeriodSeconds", "generation", "generateName", "selfLink");

	private ObjectMetadata() {
	}

	public static String now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
	}

	/**
	 * Return a tree in the order of Go's structs, as in the JSON of the real server.
	 */
	public static ObjectNode ordered(ResourceDefinition definition, ObjectNode tree) {
		ObjectNode result = Json.object();
		result.put("kind", definition.kind());
		result.put("apiVersion", definition.apiVersion());
		ObjectNode metadata = result.putObject("metadata");
		JsonNode source = tree.path("metadata");
		for (String name : ORDER) {
			JsonNode value = source.get(name);
			if (value != null && !value.isNull() && !(value.isContainer() && value.isEmpty())) {
				metadata.set(name, MAPS.contains(name) ? sorted(value) : value);
			}
		}
		tree.forEachEntry((name, value) -> {
			if (!result.has(name)) {
				result.set(name, name.equals("data") ? sorted(value) : value);
			}
		});
		return result;
	}

	/**
	 * Return a map with sorted keys, as Go encodes maps.
	 */
	private static JsonNode sorted(JsonNode map) {
		if (!(map instanceof ObjectNode)) {
			return map;
		}
		Map<String, JsonNode> entries = new TreeMap<>();
		map.forEachEntry(entries::put);
		return Json.object().setAll(entries);
	}

	/**
	 * Copy the metadata that only the server sets from the previous object.
	 */
	public static void inherit(ObjectNode metadata, JsonNode previous) {
		for (String name : OWNED_BY_SERVER) {
			JsonNode value = previous.get(name);
			if (value != null) {
				metadata.set(name, value);
			}
			else {
				metadata.remove(name);
			}
		}
	}

	public static boolean isBeingDeleted(ObjectNode tree) {
		return tree.path("metadata").hasNonNull("deletionTimestamp");
	}

	public static Set<String> finalizers(ObjectNode tree) {
		Set<String> finalizers = new LinkedHashSet<>();
		tree.path("metadata").path("finalizers").forEach((finalizer) -> finalizers.add(finalizer.asString("")));
		return finalizers;
	}

	public static boolean hasFinalizers(ObjectNode tree) {
		return !tree.path("metadata").path("finalizers").isEmpty();
	}

	public static void markDeleted(ObjectNode tree) {
		ObjectNode metadata = Json.childObject(tree, "metadata");
		metadata.put("deletionTimestamp", now());
		metadata.put("deletionGracePeriodSeconds", 0);
		bumpGeneration(metadata);
	}

	public static void bumpGeneration(ObjectNode metadata) {
		if (metadata.path("generation").asLong(0) > 0) {
			metadata.put("generation", metadata.path("generation").asLong(0) + 1);
		}
	}

}
