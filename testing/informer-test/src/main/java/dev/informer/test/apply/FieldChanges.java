/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Fields that differ between two values of a type.
 *
 * @param removed the fields that the second value lacks
 * @param modified the fields that are different
 * @param added the fields that the first value lacks
 * @see <a href=
 * "https://pkg.go.dev/sigs.k8s.io/structured-merge-diff/v6/typed#Comparison">typed.Comparison</a>
 */
record FieldChanges(FieldSet removed, FieldSet modified, FieldSet added) {

	/**
	 * Compare two values.
	 * @throws IllegalArgumentException if an element of a list has no key
	 */
	static FieldChanges between(JsonNode before, JsonNode after, FieldType type) {
		FieldChanges changes = new FieldChanges(new FieldSet(), new FieldSet(), new FieldSet());
		changes.compare(before, after, type, new ArrayList<>());
		return changes;
	}

	/**
	 * Leave out fields and all that is below them.
	 */
	FieldChanges without(FieldSet fields) {
		return new FieldChanges(this.removed.without(fields), this.modified.without(fields),
				this.added.without(fields));
	}

	FieldSet modifiedAndAdded() {
		return this.modified.union(this.added);
	}

	private void compare(@Nullable JsonNode before, @Nullable JsonNode after, FieldType type, List<PathElement> path) {
		FieldType.Shape shapeBefore = type.shapeOf(before);
		FieldType.Shape shapeAfter = type.shapeOf(after);
		boolean leaf;
		if (after == null) {
			leaf = compare(before, after, type, shapeBefore, path);
		}
		else if (before == null || shapeBefore == shapeAfter) {
			leaf = compare(before, after, type, shapeAfter, path);
		}
		else {
			compare(before, after, type, shapeBefore, path);
			leaf = compare(before, after, type, shapeAfter, path);
		}
		if (!leaf && before == null) {
			this.added.add(path);
		}
		else if (!leaf && after == null) {
			this.removed.add(path);
		}
	}

	/**
	 * Compare two values that have a shape.
	 * @return whether they are owned as a whole
	 */
	private boolean compare(@Nullable JsonNode before, @Nullable JsonNode after, FieldType type, FieldType.Shape shape,
			List<PathElement> path) {
		JsonNode left = ofShape(before, shape);
		JsonNode right = ofShape(after, shape);
		boolean empty = (left == null || left.isEmpty()) && (right == null || right.isEmpty());
		boolean leaf = empty || switch (shape) {
			case SCALAR -> true;
			case MAP -> type.isAtomicMap();
			case LIST -> type.isAtomicList();
		};
		if (leaf) {
			compareLeaf(before, after, path);
		}
		else if (shape == FieldType.Shape.MAP) {
			compareFields(left, right, type, path);
		}
		else if (type.list() != null) {
			compareElements(left, right, type.list(), path);
		}
		return leaf;
	}

	private static @Nullable JsonNode ofShape(@Nullable JsonNode value, FieldType.Shape shape) {
		boolean fits = value != null && switch (shape) {
			case MAP -> value.isObject();
			case LIST -> value.isArray();
			case SCALAR -> false;
		};
		return fits ? value : null;
	}

	private void compareLeaf(@Nullable JsonNode before, @Nullable JsonNode after, List<PathElement> path) {
		if (before == null) {
			this.added.add(path);
		}
		else if (after == null) {
			this.removed.add(path);
		}
		else if (!Json.isSame(before, after)) {
			this.modified.add(path);
		}
	}

	private void compareFields(@Nullable JsonNode before, @Nullable JsonNode after, FieldType type,
			List<PathElement> path) {
		TreeSet<String> names = new TreeSet<>();
		if (before != null) {
			names.addAll(before.propertyNames());
		}
		if (after != null) {
			names.addAll(after.propertyNames());
		}
		for (String name : names) {
			compareBelow((before != null) ? before.get(name) : null, (after != null) ? after.get(name) : null,
					type.field(name), path, PathElement.field(name));
		}
	}

	private void compareBelow(@Nullable JsonNode before, @Nullable JsonNode after, FieldType type,
			List<PathElement> path, PathElement element) {
		path.add(element);
		compare(before, after, type, path);
		path.remove(path.size() - 1);
	}

	/**
	 * Compare the elements of lists. Elements with the same key are compared as a whole.
	 */
	private void compareElements(@Nullable JsonNode before, @Nullable JsonNode after, FieldType.ListType type,
			List<PathElement> path) {
		NavigableMap<PathElement, List<JsonNode>> left = byKey(before, type);
		NavigableMap<PathElement, List<JsonNode>> right = byKey(after, type);
		TreeSet<PathElement> elements = new TreeSet<>(left.keySet());
		elements.addAll(right.keySet());
		for (PathElement element : elements) {
			List<JsonNode> old = left.getOrDefault(element, List.of());
			List<JsonNode> current = right.getOrDefault(element, List.of());
			if (old.size() <= 1 && current.size() <= 1) {
				compareBelow(first(old), first(current), type.element(), path, element);
			}
			else {
				compareDuplicates(old, current, type, path, element);
			}
		}
	}

	private void compareDuplicates(List<JsonNode> before, List<JsonNode> after, FieldType.ListType type,
			List<PathElement> path, PathElement element) {
		List<PathElement> below = new ArrayList<>(path);
		below.add(element);
		if (before.size() > 1 && after.size() > 1) {
			if (!Json.isSame(Json.MAPPER.createArrayNode().addAll(before),
					Json.MAPPER.createArrayNode().addAll(after))) {
				this.modified.add(below);
			}
		}
		else if (before.size() > 1) {
			if (!after.isEmpty()) {
				compare(null, after.get(0), type.element(), below);
			}
			this.removed.add(below);
		}
		else {
			if (!before.isEmpty()) {
				compare(before.get(0), null, type.element(), below);
			}
			this.added.add(below);
		}
	}

	private static @Nullable JsonNode first(List<JsonNode> items) {
		return items.isEmpty() ? null : items.get(0);
	}

	private static NavigableMap<PathElement, List<JsonNode>> byKey(@Nullable JsonNode list, FieldType.ListType type) {
		NavigableMap<PathElement, List<JsonNode>> items = new TreeMap<>();
		if (list != null) {
			list.forEach((item) -> items.computeIfAbsent(type.pathOf(item), (missing) -> new ArrayList<>()).add(item));
		}
		return items;
	}

}
