/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Part of an object that a write may change.
 */
public enum UpdateScope {

	/**
	 * Everything except the status, if the resource has a status subresource.
	 */
	OBJECT {

		@Override
		public ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			if (definition.status()) {
				copy("status", previous, candidate);
			}
			return candidate;
		}

		@Override
		FieldSet reset(ResourceDefinition definition) {
			return definition.status() ? FieldSet.of("status") : new FieldSet();
		}

	},

	/**
	 * The status, and the metadata of built-in resources with some exceptions.
	 */
	STATUS {

		@Override
		public ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			ObjectNode result = previous.deepCopy();
			copy("status", candidate, result);
			ObjectNode metadata = Json.childObject(result, "metadata");
			ObjectNode written = Json.childObject(candidate, "metadata");
			if (definition.builtIn()) {
				copy(keptMetadata(definition), metadata, written);
				result.set("metadata", written);
			}
			else {
				copy("managedFields", written, metadata);
			}
			return result;
		}

		@Override
		FieldSet reset(ResourceDefinition definition) {
			if (!definition.builtIn()) {
				return FieldSet.of("metadata").union(FieldSet.of("spec"));
			}
			return FieldSet.of("metadata", keptMetadata(definition)).union(FieldSet.of("spec"));
		}

		private String keptMetadata(ResourceDefinition definition) {
			return switch (definition.resource()) {
				case "deployments.apps" -> "labels";
				case "pods" -> "ownerReferences";
				default -> "deletionTimestamp";
			};
		}

	},

	/**
	 * The whole object at once, which only the Java API can do.
	 */
	EVERYTHING {

		@Override
		public ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			return candidate;
		}

		@Override
		FieldSet reset(ResourceDefinition definition) {
			return new FieldSet();
		}

	};

	public abstract ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate);

	/**
	 * Return the fields that a write does not change, even if it contains them.
	 */
	abstract FieldSet reset(ResourceDefinition definition);

	private static void copy(String name, ObjectNode source, ObjectNode target) {
		JsonNode value = source.get(name);
		if (value != null) {
			target.set(name, value);
		}
		else {
			target.remove(name);
		}
	}

}
