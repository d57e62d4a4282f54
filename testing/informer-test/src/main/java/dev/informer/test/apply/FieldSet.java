/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Set of fields. A field in the set does not imply the fields below it.
 *
 * @see <a href=
 * "https://pkg.go.dev/sigs.k8s.io/structured-merge-diff/v6/fieldpath#Set">fieldpath.Set</a>
 */
final class FieldSet {

	private final NavigableSet<PathElement> members = new TreeSet<>();

	private final NavigableMap<PathElement, FieldSet> children = new TreeMap<>();

	/**
	 * Create a set of one field, given by the names on its path.
	 */
	static FieldSet of(String... names) {
		FieldSet set = new FieldSet();
		set.add(List.of(names).stream().map(PathElement::field).toList());
		return set;
	}

	void add(List<PathElement> path) {
		if (path.isEmpty()) {
			return;
		}
		FieldSet set = this;
		for (PathElement element : path.subList(0, path.size() - 1)) {
			set = set.children.computeIfAbsent(element, (missing) -> new FieldSet());
		}
		set.members.add(path.get(path.size() - 1));
	}

	boolean isEmpty() {
		return this.members.isEmpty() && this.children.values().stream().allMatch(FieldSet::isEmpty);
	}

	boolean contains(PathElement element) {
		return this.members.contains(element);
	}

	/**
	 * Return the fields below an element.
	 */
	FieldSet below(PathElement element) {
		return this.children.getOrDefault(element, new FieldSet());
	}

	FieldSet union(FieldSet other) {
		FieldSet result = copy();
		result.members.addAll(other.members);
		other.children.forEach((element, child) -> result.children.merge(element, child, FieldSet::union));
		return result;
	}

	FieldSet intersection(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.retainAll(other.members);
		this.children.forEach((element, child) -> result.put(element, child.intersection(other.below(element))));
		return result;
	}

	/**
	 * Return the fields of this set that are not in the other.
	 */
	FieldSet minus(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.removeAll(other.members);
		this.children.forEach((element, child) -> result.put(element, child.minus(other.below(element))));
		return result;
	}

	/**
	 * Return the fields of this set that are neither in the other nor below one of its
	 * fields.
	 */
	FieldSet without(FieldSet other) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		result.members.removeAll(other.members);
		this.children.forEach((element, child) -> {
			if (!other.members.contains(element)) {
				result.put(element, child.without(other.below(element)));
			}
		});
		return result;
	}

	/**
	 * Add the named fields of structs that have fields of this set below them.
	 */
	FieldSet withNamedFields(@Nullable FieldType type) {
		FieldSet result = new FieldSet();
		result.members.addAll(this.members);
		this.children.forEach((element, child) -> {
			FieldType childType = null;
			if (type != null && element.kind() == PathElement.Kind.FIELD) {
				String name = element.content().asString();
				if (type.hasNamedField(name)) {
					result.members.add(element);
				}
				childType = type.field(name);
			}
			else if (type != null && element.kind() == PathElement.Kind.KEY) {
				childType = type.element();
			}
			result.children.put(element, child.withNamedFields(childType));
		});
		return result;
	}

	private FieldSet copy() {
		FieldSet copy = new FieldSet();
		copy.members.addAll(this.members);
		copy.children.putAll(this.children);
		return copy;
	}

	private void put(PathElement element, FieldSet child) {
		if (!child.isEmpty()) {
			this.children.put(element, child);
		}
	}

	/**
	 * Pass the path of each field to a consumer, as text.
	 */
	void forEach(Consumer<String> consumer) {
		forEach("", consumer);
	}

	private void forEach(String prefix, Consumer<String> consumer) {
		this.members.forEach((element) -> consumer.accept(prefix + element));
		this.children.forEach((element, child) -> child.forEach(prefix + element, consumer));
	}

	/**
	 * Read {@code FieldsV1}.
	 * @throws IllegalArgumentException if a path element is malformed
	 */
	static FieldSet parse(JsonNode fields) {
		FieldSet set = new FieldSet();
		fields.forEachEntry((text, value) -> {
			PathElement element = text.equals(".") ? null : PathElement.parse(text);
			if (element != null) {
				FieldSet child = parse(value);
				boolean leaf = child.members.isEmpty() && child.children.isEmpty();
				if (leaf || value.has(".")) {
					set.members.add(element);
				}
				if (!leaf) {
					set.children.put(element, child);
				}
			}
		});
		return set;
	}

	/**
	 * Write {@code FieldsV1}.
	 */
	ObjectNode toJson() {
		return toJson(false);
	}

	private ObjectNode toJson(boolean member) {
		ObjectNode fields = Json.object();
		if (member && !(this.members.isEmpty() && this.children.isEmpty())) {
			fields.putObject(".");
		}
		NavigableSet<PathElement> elements = new TreeSet<>(this.members);
		elements.addAll(this.children.keySet());
		for (PathElement element : elements) {
			FieldSet child = this.children.get(element);
			fields.set(element.text(), (child != null) ? child.toJson(this.members.contains(element)) : Json.object());
		}
		return fields;
	}

}
