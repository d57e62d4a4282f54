/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.test.ResourceDefinition;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * State of an object, serialized once for all responses. Immutable.
 */
public final class StoredObject {

	private final ResourceDefinition definition;

	private final StoredObjectKey key;

	private final String uid;

	private final long resourceVersion;

	private final Map<String, String> labels;

	private final Map<String, String> fields;

	private final List<String> owners;

	private final byte[] json;

	private final int bodyOffset;

	private StoredObject(ResourceDefinition definition, StoredObjectKey key, long resourceVersion, ObjectNode tree) {
		JsonNode metadata = tree.path("metadata");
		this.definition = definition;
		this.key = key;
		this.uid = Json.text(metadata, "uid");
		this.resourceVersion = resourceVersion;
		this.labels = labels(metadata.path("labels"));
		this.fields = FieldLabels.of(definition).values(tree);
		this.owners = owners(metadata.path("ownerReferences"));
		this.json = definition.builtIn() ? Json.bytes(tree) : Json.sortedBytes(tree);
		this.bodyOffset = definition.builtIn() ? typePrefix(definition).length() : 0;
	}

	/**
	 * Create a state from a tree, which receives the resource version and the canonical
	 * order.
	 * @param resourceVersion the resource version; 0 for an object that is not stored
	 */
	public static StoredObject of(ResourceDefinition definition, StoredObjectKey key, long resourceVersion,
			ObjectNode tree) {
		ObjectNode metadata = Json.childObject(tree, "metadata");
		if (resourceVersion > 0) {
			metadata.put("resourceVersion", Long.toString(resourceVersion));
		}
		else {
			metadata.remove("resourceVersion");
		}
		return new StoredObject(definition, key, resourceVersion,
				definition.builtIn() ? ObjectMetadata.ordered(definition, tree) : tree);
	}

	private static String typePrefix(ResourceDefinition definition) {
		return "{\"kind\":\"" + definition.kind() + "\",\"apiVersion\":\"" + definition.apiVersion() + "\",";
	}

	private static Map<String, String> labels(JsonNode node) {
		if (node.isEmpty()) {
			return Map.of();
		}
		Map<String, String> labels = new LinkedHashMap<>();
		node.forEachEntry((name, value) -> labels.put(name, value.asString("")));
		return Collections.unmodifiableMap(labels);
	}

	private static List<String> owners(JsonNode references) {
		if (references.isEmpty()) {
			return List.of();
		}
		Set<String> owners = new LinkedHashSet<>();
		references.forEach((reference) -> owners.add(Json.text(reference, "uid")));
		return List.copyOf(owners);
	}

	StoredObject at(long newResourceVersion) {
		return of(this.definition, this.key, newResourceVersion, tree());
	}

	public ObjectNode tree() {
		return Json.parse(this.json);
	}

	/**
	 * Return the JSON of the object as a single object.
	 */
	public byte[] json(ResourceDefinition served) {
		return served.version().equals(this.definition.version()) ? this.json : converted(served).json;
	}

	/**
	 * Return the offset in {@link #json} after kind and API version, which items of
	 * built-in lists omit.
	 */
	public int bodyOffset() {
		return this.bodyOffset;
	}

	/**
	 * Return the object in another version of its resource. As for custom resources
	 * without a webhook, only the API version changes.
	 */
	public StoredObject converted(ResourceDefinition served) {
		if (served.version().equals(this.definition.version())) {
			return this;
		}
		ObjectNode tree = tree();
		tree.put("apiVersion", served.apiVersion());
		return of(served, this.key, this.resourceVersion, tree);
	}

	public ResourceDefinition definition() {
		return this.definition;
	}

	public StoredObjectKey key() {
		return this.key;
	}

	public String uid() {
		return this.uid;
	}

	public long resourceVersion() {
		return this.resourceVersion;
	}

	Map<String, String> labels() {
		return this.labels;
	}

	Map<String, String> fields() {
		return this.fields;
	}

	/**
	 * Return the UIDs of the owners.
	 */
	public List<String> owners() {
		return this.owners;
	}

}
