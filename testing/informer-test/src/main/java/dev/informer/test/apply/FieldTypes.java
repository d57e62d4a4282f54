/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Types of all objects: of built-in kinds by a table, of custom resources by the schema
 * of their definition. Others have a type that is deduced from their values. All methods
 * are called with the store's lock held.
 *
 * @see <a href=
 * "https://pkg.go.dev/k8s.io/kube-openapi/pkg/schemaconv#ToSchemaFromOpenAPI">schemaconv</a>
 */
public final class FieldTypes {

	private final Map<String, FieldType> custom = new HashMap<>();

	/**
	 * Set the type of a custom resource.
	 * @param schema the schema in its definition
	 */
	public void define(ResourceDefinition definition, JsonNode schema) {
		if (!schema.isObject()) {
			this.custom.remove(name(definition, definition.apiVersion()));
			return;
		}
		FieldType type = type(schema, false);
		Map<String, FieldType.Field> fields = new LinkedHashMap<>();
		if (type.map() != null) {
			fields.putAll(type.map().fields());
		}
		addObjectFields(fields);
		this.custom.put(name(definition, definition.apiVersion()),
				FieldType.map(fields, (type.map() != null) ? type.map().others() : null, false));
	}

	public void remove(ResourceDefinition definition) {
		this.custom.remove(name(definition, definition.apiVersion()));
	}

	/**
	 * Return the type of the objects of a resource in one of its versions.
	 */
	FieldType type(ResourceDefinition definition, String apiVersion) {
		FieldType type = definition.builtIn() ? BuiltInTypes.of(apiVersion, definition.kind())
				: this.custom.get(name(definition, apiVersion));
		return (type != null) ? type : FieldType.DEDUCED;
	}

	private static String name(ResourceDefinition definition, String apiVersion) {
		return apiVersion + " " + definition.kind();
	}

	/**
	 * Return an object in the form in which the real server holds it: without fields that
	 * are undeclared, {@code null} or empty, and with the zeros that it writes.
	 */
	public ObjectNode normalized(ResourceDefinition definition, ObjectNode object) {
		JsonNode form = normalized(object, type(definition, definition.apiVersion()));
		return (form instanceof ObjectNode node) ? node : object;
	}

	private static JsonNode normalized(JsonNode value, FieldType type) {
		if (value.isArray() && type.list() != null) {
			ArrayNode list = Json.MAPPER.createArrayNode();
			value.forEach((item) -> list.add(normalized(item, type.element())));
			return list;
		}
		FieldType.MapType map = type.map();
		if (!value.isObject() || map == null) {
			return value;
		}
		ObjectNode result = Json.object();
		value.forEachEntry((name, child) -> {
			FieldType childType = map.type(name);
			if (childType != null && !isAbsent(child, map.fields().get(name))) {
				result.set(name, normalized(child, childType));
			}
		});
		addZeros(result, map.fields());
		return result;
	}

	/**
	 * Set the defaults of a custom resource, and bring its metadata into the form of the
	 * real server.
	 */
	public void addDefaults(ResourceDefinition definition, ObjectNode object) {
		addDefaults(object, type(definition, definition.apiVersion()));
		object.set("metadata", normalized(object.path("metadata"), BuiltInTypes.metadata()));
	}

	private static void addDefaults(JsonNode value, FieldType type) {
		if (value instanceof ObjectNode map && type.map() != null) {
			type.map().fields().forEach((name, field) -> {
				if (field.defaultValue() != null && !map.has(name)) {
					map.set(name, field.defaultValue().deepCopy());
				}
			});
			map.forEachEntry((name, child) -> addDefaults(child, type.field(name)));
		}
		else if (value.isArray()) {
			value.forEach((item) -> addDefaults(item, type.element()));
		}
	}

	private static boolean isAbsent(JsonNode value, FieldType.@Nullable Field field) {
		return field != null && (value.isNull() || (field.omitsZero() && isZero(value)));
	}

	private static boolean isZero(JsonNode value) {
		if (value.isContainer() || value.isString()) {
			return value.isContainer() ? value.isEmpty() : value.asString().isEmpty();
		}
		return value.isNumber() ? value.asDouble() == 0 : !value.asBoolean();
	}

	private static void addZeros(ObjectNode struct, Map<String, FieldType.Field> fields) {
		fields.forEach((name, field) -> {
			if (field.zero() != null && !struct.has(name)) {
				struct.set(name, field.zero().isObject() ? normalized(Json.object(), field.type()) : field.zero());
			}
		});
	}

	private static void addObjectFields(Map<String, FieldType.Field> fields) {
		fields.put("apiVersion", field(FieldType.scalar(FieldType.Scalar.STRING)));
		fields.put("kind", field(FieldType.scalar(FieldType.Scalar.STRING)));
		fields.put("metadata", field(BuiltInTypes.metadata()));
	}

	private static FieldType.Field field(FieldType type) {
		return new FieldType.Field(type, false, null, null);
	}

	private static FieldType type(JsonNode schema, boolean preserving) {
		boolean preserves = preserving || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
		return switch (Json.text(schema, "type")) {
			case "object" -> object(schema, preserves);
			case "array" -> list(schema, preserves);
			case "integer", "number" -> FieldType.scalar(FieldType.Scalar.NUMBER);
			case "boolean" -> FieldType.scalar(FieldType.Scalar.BOOLEAN);
			case "string" -> FieldType
				.scalar((schema.path("format").asString("").isEmpty() || Json.text(schema, "format").equals("byte"))
						? FieldType.Scalar.STRING : FieldType.Scalar.ANY);
			default ->
				new FieldType(FieldType.Scalar.ANY, list(schema, preserves).list(), object(schema, preserves).map());
		};
	}

	private static FieldType object(JsonNode schema, boolean preserves) {
		Map<String, FieldType.Field> fields = new LinkedHashMap<>();
		schema.path("properties")
			.forEachEntry((name, property) -> fields.put(name,
					new FieldType.Field(type(property, preserves), false, null, property.get("default"))));
		boolean atomic = Json.text(schema, "x-kubernetes-map-type").equals("atomic");
		FieldType others = others(schema, fields.isEmpty(), preserves);
		if (schema.path("x-kubernetes-embedded-resource").asBoolean(false)) {
			addObjectFields(fields);
		}
		return FieldType.map(fields, others, atomic);
	}

	private static @Nullable FieldType others(JsonNode schema, boolean free, boolean preserves) {
		JsonNode additional = schema.path("additionalProperties");
		if (additional.isObject()) {
			return type(additional, preserves);
		}
		boolean allowed = additional.isMissingNode() ? (preserves || free) : additional.asBoolean(false);
		return allowed ? FieldType.DEDUCED : null;
	}

	private static FieldType list(JsonNode schema, boolean preserves) {
		FieldType element = schema.has("items") ? type(schema.path("items"), preserves) : FieldType.ATOMIC;
		List<String> keys = new ArrayList<>();
		schema.path("x-kubernetes-list-map-keys").forEach((key) -> keys.add(key.asString("")));
		return switch (Json.text(schema, "x-kubernetes-list-type")) {
			case "set" -> FieldType.list(element, false, List.of());
			case "map" -> FieldType.list(element, false, List.copyOf(keys));
			default -> FieldType.list(element, true, List.of());
		};
	}

}
