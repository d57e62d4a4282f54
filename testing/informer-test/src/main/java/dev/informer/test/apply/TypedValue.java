/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Value with its type. Immutable if its value is not modified.
 *
 * @param value the value
 * @param type its type
 * @see <a href=
 * "https://pkg.go.dev/sigs.k8s.io/structured-merge-diff/v6/typed#TypedValue">typed.TypedValue</a>
 */
record TypedValue(JsonNode value, FieldType type) {

	/**
	 * Return the fields that are present.
	 * @throws IllegalArgumentException if an element of a list has no key
	 */
	FieldSet fields() {
		FieldSet fields = new FieldSet();
		collect(this.value, this.type, new ArrayList<>(), fields);
		return fields;
	}

	private static void collect(JsonNode value, FieldType type, List<PathElement> path, FieldSet fields) {
		switch (type.shapeOf(value)) {
			case SCALAR -> fields.add(path);
			case MAP -> {
				if (type.isAtomicMap()) {
					fields.add(path);
				}
				else {
					value.forEachEntry((name, child) -> collectField(name, child, type, path, fields));
				}
			}
			case LIST -> {
				if (type.isAtomicList()) {
					fields.add(path);
				}
				else if (type.list() != null) {
					collectElements(value, type.list(), path, fields);
				}
			}
		}
	}

	private static void collectField(String name, JsonNode value, FieldType type, List<PathElement> path,
			FieldSet fields) {
		path.add(PathElement.field(name));
		collect(value, type.field(name), path, fields);
		if (value.isNull() || (value.isObject() && value.isEmpty()) || !type.hasNamedField(name)) {
			fields.add(path);
		}
		path.remove(path.size() - 1);
	}

	private static void collectElements(JsonNode list, FieldType.ListType type, List<PathElement> path,
			FieldSet fields) {
		Set<PathElement> seen = new TreeSet<>();
		Set<PathElement> duplicates = new TreeSet<>();
		list.forEach((item) -> {
			PathElement element = type.pathOf(item);
			if (!seen.add(element)) {
				duplicates.add(element);
			}
		});
		list.forEach((item) -> {
			PathElement element = type.pathOf(item);
			path.add(element);
			if (!duplicates.contains(element)) {
				collect(item, type.element(), path, fields);
			}
			fields.add(path);
			path.remove(path.size() - 1);
		});
	}

	/**
	 * Return the value without some of its fields and list elements.
	 */
	TypedValue without(FieldSet fields) {
		return new TypedValue(remove(this.value, this.type, fields), this.type);
	}

	private static JsonNode remove(JsonNode value, FieldType type, FieldSet fields) {
		return switch (type.shapeOf(value)) {
			case SCALAR -> value;
			case MAP -> orNull((value.isObject() && !type.isAtomicMap()) ? removeFields(value, type, fields) : null);
			case LIST -> orNull((value.isArray() && !type.isAtomicList() && type.list() != null)
					? removeElements(value, type.list(), fields) : null);
		};
	}

	private static JsonNode orNull(@Nullable JsonNode container) {
		return (container == null || container.isEmpty()) ? JsonNodeFactory.instance.nullNode() : container;
	}

	private static ObjectNode removeFields(JsonNode map, FieldType type, FieldSet fields) {
		ObjectNode result = Json.object();
		map.forEachEntry((name, value) -> {
			PathElement element = PathElement.field(name);
			if (!fields.contains(element)) {
				FieldSet below = fields.below(element);
				result.set(name, below.isEmpty() ? value : remove(value, type.field(name), below));
			}
		});
		return result;
	}

	private static ArrayNode removeElements(JsonNode list, FieldType.ListType type, FieldSet fields) {
		ArrayNode result = Json.MAPPER.createArrayNode();
		list.forEach((item) -> {
			PathElement element = type.pathOf(item);
			if (!fields.contains(element)) {
				FieldSet below = fields.below(element);
				result.add(below.isEmpty() ? item : remove(item, type.element(), below));
			}
		});
		return result;
	}

	/**
	 * Return the value with another merged into it, which wins.
	 */
	TypedValue merge(TypedValue other) {
		return new TypedValue(Objects.requireNonNull(merge(this.value, other.value, this.type)), this.type);
	}

	private static @Nullable JsonNode merge(@Nullable JsonNode left, @Nullable JsonNode right, FieldType type) {
		JsonNode preferred = (right != null) ? right : left;
		return switch (type.shapeOf(preferred)) {
			case SCALAR -> preferred;
			case MAP -> {
				ObjectNode leftMap = (left instanceof ObjectNode map) ? map : Json.object();
				ObjectNode rightMap = (right instanceof ObjectNode map) ? map : Json.object();
				boolean leaf = type.isAtomicMap() || (leftMap.isEmpty() && rightMap.isEmpty());
				yield leaf ? preferred : mergeFields(leftMap, rightMap, type);
			}
			case LIST -> {
				List<JsonNode> leftItems = elements(left);
				List<JsonNode> rightItems = elements(right);
				boolean leaf = type.isAtomicList() || (leftItems.isEmpty() && rightItems.isEmpty());
				yield (leaf || type.list() == null) ? preferred : mergeElements(leftItems, rightItems, type.list());
			}
		};
	}

	private static @Nullable JsonNode mergeFields(ObjectNode left, ObjectNode right, FieldType type) {
		Set<String> names = new LinkedHashSet<>(left.propertyNames());
		names.addAll(right.propertyNames());
		ObjectNode result = Json.object();
		for (String name : names) {
			JsonNode merged = merge(left.get(name), right.get(name), type.field(name));
			if (merged != null) {
				result.set(name, merged);
			}
		}
		return result.isEmpty() ? null : result;
	}

	private static List<JsonNode> elements(@Nullable JsonNode list) {
		List<JsonNode> elements = new ArrayList<>();
		if (list != null && list.isArray()) {
			list.forEach(elements::add);
		}
		return elements;
	}

	/**
	 * Merge two lists: elements of both are in the order of the right one, and elements
	 * of the left one keep their place between them.
	 */
	private static @Nullable JsonNode mergeElements(List<JsonNode> left, List<JsonNode> right,
			FieldType.ListType type) {
		List<PathElement> leftKeys = left.stream().map(type::pathOf).toList();
		List<PathElement> rightKeys = right.stream().map(type::pathOf).toList();
		Map<PathElement, JsonNode> leftItems = new TreeMap<>();
		Set<PathElement> duplicates = new TreeSet<>();
		for (int i = 0; i < left.size(); i++) {
			if (leftItems.putIfAbsent(leftKeys.get(i), left.get(i)) != null) {
				duplicates.add(leftKeys.get(i));
			}
		}
		Map<PathElement, JsonNode> rightItems = new TreeMap<>();
		for (int i = 0; i < right.size(); i++) {
			rightItems.putIfAbsent(rightKeys.get(i), right.get(i));
		}
		// Duplicates are not merged with the element that replaces them.
		duplicates.forEach((key) -> leftItems.put(key, JsonNodeFactory.instance.nullNode()));
		List<PathElement> shared = new ArrayList<>(rightKeys.stream().filter(leftItems::containsKey).toList());
		Set<PathElement> merged = new TreeSet<>();
		ArrayNode result = Json.MAPPER.createArrayNode();
		int l = 0;
		int r = 0;
		while (l < left.size() || r < right.size()) {
			if (l < left.size() && r < right.size()) {
				PathElement key = leftKeys.get(l);
				boolean isNext = !shared.isEmpty() && shared.get(0).compareTo(key) == 0;
				if (key.compareTo(rightKeys.get(r)) == 0) {
					merged.add(key);
					add(result, merge(leftItems.get(key), rightItems.get(key), type.element()));
					l++;
					r++;
					poll(shared);
					continue;
				}
				if (rightItems.containsKey(key) && !shared.isEmpty() && !isNext) {
					l++;
					continue;
				}
			}
			if (l < left.size()) {
				PathElement key = leftKeys.get(l);
				if (!rightItems.containsKey(key)) {
					add(result, merge(left.get(l), null, type.element()));
					l++;
					continue;
				}
				if (merged.contains(key)) {
					l++;
				}
			}
			if (r < right.size()) {
				PathElement key = rightKeys.get(r);
				merged.add(key);
				add(result, merge(leftItems.get(key), rightItems.get(key), type.element()));
				r++;
				if (!shared.isEmpty() && shared.get(0).compareTo(key) == 0) {
					poll(shared);
				}
			}
		}
		return result.isEmpty() ? null : result;
	}

	private static void add(ArrayNode result, @Nullable JsonNode item) {
		if (item != null) {
			result.add(item);
		}
	}

	private static void poll(List<PathElement> elements) {
		if (!elements.isEmpty()) {
			elements.remove(0);
		}
	}

	/**
	 * Return the violations of the type: undeclared fields, values of other types, and
	 * list elements with the same key or without a key.
	 */
	List<String> violations() {
		List<String> violations = new ArrayList<>();
		validate(this.value, this.type, "", violations);
		return violations;
	}

	private static void validate(JsonNode value, FieldType type, String path, List<String> violations) {
		switch (type.shapeOf(value)) {
			case SCALAR -> validateScalar(value, Objects.requireNonNull(type.scalar()), path, violations);
			case MAP -> {
				if (value.isObject()) {
					value.forEachEntry((name, child) -> validateField(name, child, type, path, violations));
				}
				else if (!value.isNull()) {
					violations.add(prefix(path) + "expected map, got &{" + plain(value) + "}");
				}
			}
			case LIST -> {
				if (value.isArray() && type.list() != null) {
					validateElements(value, type.list(), path, violations);
				}
				else if (!value.isNull()) {
					violations.add(prefix(path) + "expected list, got &{" + plain(value) + "}");
				}
			}
		}
	}

	private static void validateScalar(JsonNode value, FieldType.Scalar scalar, String path, List<String> violations) {
		if (scalar.allows(value)) {
			return;
		}
		violations.add(prefix(path) + switch (scalar) {
			case STRING -> "expected string, got &value.valueUnstructured{Value:" + plain(value) + "}";
			case NUMBER -> "expected numeric (int or float), got " + goType(value);
			case BOOLEAN -> "expected boolean, got &{" + plain(value) + "}";
			case ANY -> "expected any scalar, got &{" + plain(value) + "}";
		});
	}

	private static void validateField(String name, JsonNode value, FieldType type, String path,
			List<String> violations) {
		String below = path + "." + name;
		FieldType field = (type.map() != null) ? type.map().type(name) : FieldType.DEDUCED;
		if (field == null) {
			violations.add(below + ": field not declared in schema");
		}
		else {
			validate(value, field, below, violations);
		}
	}

	private static void validateElements(JsonNode list, FieldType.ListType type, String path, List<String> violations) {
		Set<PathElement> seen = new TreeSet<>();
		for (int i = 0; i < list.size(); i++) {
			JsonNode item = list.get(i);
			String below = path + "[" + i + "]";
			if (!type.atomic()) {
				try {
					PathElement element = type.pathOf(item);
					below = path + element;
					if (!seen.add(element)) {
						violations.add(prefix(path) + "duplicate entries for key " + element);
					}
				}
				catch (IllegalArgumentException ex) {
					violations.add(prefix(path) + "element " + i + ": " + ex.getMessage());
					return;
				}
			}
			validate(item, type.element(), below, violations);
		}
	}

	private static String prefix(String path) {
		return path.isEmpty() ? "" : path + ": ";
	}

	private static String plain(JsonNode value) {
		return value.isString() ? value.asString() : value.toString();
	}

	private static String goType(JsonNode value) {
		if (value.isString()) {
			return "string";
		}
		return value.isBoolean() ? "bool" : value.isObject() ? "map[string]interface {}" : "[]interface {}";
	}

}
