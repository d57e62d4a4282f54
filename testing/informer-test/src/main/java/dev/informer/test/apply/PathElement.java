/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Collectors;

import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Element of the path to a field, in the order and the texts of {@code FieldsV1}.
 *
 * @param kind the kind of the element
 * @param content the name of a field, the keys of a list element in their order, the
 * value of an element of a set, or an index
 */
record PathElement(Kind kind, JsonNode content) implements Comparable<PathElement> {

	private static final Comparator<JsonNode> SCALARS = Comparator.<JsonNode>comparingInt(PathElement::rank)
		.thenComparing(PathElement::compareSameRank);

	static PathElement field(String name) {
		return new PathElement(Kind.FIELD, JsonNodeFactory.instance.stringNode(name));
	}

	static PathElement key(ObjectNode keys) {
		return new PathElement(Kind.KEY, keys);
	}

	static PathElement value(JsonNode value) {
		return new PathElement(Kind.VALUE, value);
	}

	/**
	 * Parse the text of an element.
	 * @return the element, {@code null} if it is of an unknown kind
	 * @throws IllegalArgumentException if the text is malformed
	 */
	static @Nullable PathElement parse(String text) {
		if (text.length() < 2 || text.charAt(1) != ':') {
			throw new IllegalArgumentException("missing colon: " + text);
		}
		for (Kind kind : Kind.values()) {
			if (kind.letter == text.charAt(0)) {
				return new PathElement(kind, (kind == Kind.FIELD)
						? JsonNodeFactory.instance.stringNode(text.substring(2)) : json(text.substring(2)));
			}
		}
		return null;
	}

	private static JsonNode json(String text) {
		try {
			return Json.MAPPER.readTree(text);
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("malformed path element: " + text, ex);
		}
	}

	/**
	 * Return the text of this element in {@code FieldsV1}.
	 */
	String text() {
		return this.kind.letter + ":" + ((this.kind == Kind.FIELD) ? this.content.asString() : this.content.toString());
	}

	@Override
	public int compareTo(PathElement other) {
		int kinds = this.kind.compareTo(other.kind);
		if (kinds != 0) {
			return kinds;
		}
		return (this.kind == Kind.KEY) ? compareKeys(this.content, other.content)
				: SCALARS.compare(this.content, other.content);
	}

	private static int compareKeys(JsonNode one, JsonNode other) {
		Iterator<Map.Entry<String, JsonNode>> left = one.properties().iterator();
		Iterator<Map.Entry<String, JsonNode>> right = other.properties().iterator();
		while (left.hasNext() && right.hasNext()) {
			Map.Entry<String, JsonNode> leftField = left.next();
			Map.Entry<String, JsonNode> rightField = right.next();
			int names = leftField.getKey().compareTo(rightField.getKey());
			int result = (names != 0) ? names : SCALARS.compare(leftField.getValue(), rightField.getValue());
			if (result != 0) {
				return result;
			}
		}
		return Boolean.compare(left.hasNext(), right.hasNext());
	}

	private static int rank(JsonNode value) {
		if (value.isNumber()) {
			return 0;
		}
		if (value.isString()) {
			return 1;
		}
		return value.isBoolean() ? 2 : 3;
	}

	private static int compareSameRank(JsonNode one, JsonNode other) {
		if (one.isNumber()) {
			return one.decimalValue().compareTo(other.decimalValue());
		}
		if (one.isBoolean()) {
			return Boolean.compare(one.booleanValue(), other.booleanValue());
		}
		return one.toString().compareTo(other.toString());
	}

	/**
	 * Return the text of this element in messages.
	 */
	@Override
	public String toString() {
		return switch (this.kind) {
			case FIELD -> "." + this.content.asString();
			case KEY -> this.content.properties()
				.stream()
				.map((field) -> field.getKey() + "=" + field.getValue())
				.collect(Collectors.joining(",", "[", "]"));
			case VALUE -> "[=" + this.content + "]";
			case INDEX -> "[" + this.content + "]";
		};
	}

	/**
	 * Kind of an element.
	 */
	enum Kind {

		/**
		 * A field of a map or struct.
		 */
		FIELD('f'),

		/**
		 * An element of a list with keys.
		 */
		KEY('k'),

		/**
		 * An element of a set.
		 */
		VALUE('v'),

		/**
		 * An element of another list.
		 */
		INDEX('i');

		private final char letter;

		Kind(char letter) {
			this.letter = letter;
		}

	}

}
