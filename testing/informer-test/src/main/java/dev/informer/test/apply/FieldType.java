/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.List;
import java.util.Map;

import dev.informer.test.store.Json;
import dev.informer.test.store.StatusErrors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Type of a value: which shapes it may have, and which of its parts have owners of their
 * own. A shape that is {@code null} is not allowed. Immutable once all types are read.
 *
 * @param scalar the type of a string, number or boolean
 * @param list the type of a list
 * @param map the type of a map or struct
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Merge
 * strategy</a>
 */
record FieldType(@Nullable Scalar scalar, @Nullable ListType list, @Nullable MapType map) {

	/** Any value, maps and lists as a whole. */
	static final FieldType ATOMIC = anything(true);

	/** Any value, lists as a whole. */
	static final FieldType DEDUCED = anything(false);

	private static FieldType anything(boolean atomic) {
		MapType map = new MapType(Map.of(), atomic);
		FieldType type = new FieldType(Scalar.ANY, new ListType(null, true, List.of()), map);
		map.others = type;
		return type;
	}

	static FieldType scalar(Scalar scalar) {
		return new FieldType(scalar, null, null);
	}

	static FieldType list(FieldType element, boolean atomic, List<String> keys) {
		return new FieldType(null, new ListType(element, atomic, keys), null);
	}

	static FieldType map(Map<String, Field> fields, @Nullable FieldType others, boolean atomic) {
		MapType map = new MapType(fields, atomic);
		map.others = others;
		return new FieldType(null, null, map);
	}

	/**
	 * Return the shape of a value. One that is absent, {@code null} or not allowed has
	 * the first shape of this type.
	 */
	Shape shapeOf(@Nullable JsonNode value) {
		if (value != null && value.isObject() && this.map != null) {
			return Shape.MAP;
		}
		if (value != null && value.isArray() && this.list != null) {
			return Shape.LIST;
		}
		if (value != null && value.isValueNode() && !value.isNull() && this.scalar != null) {
			return Shape.SCALAR;
		}
		if (this.map != null) {
			return Shape.MAP;
		}
		return (this.scalar != null) ? Shape.SCALAR : Shape.LIST;
	}

	/**
	 * Return the type of a field. A field without a type may have any value.
	 */
	FieldType field(String name) {
		FieldType type = (this.map != null) ? this.map.type(name) : null;
		return (type != null) ? type : DEDUCED;
	}

	FieldType element() {
		return (this.list != null) ? this.list.element() : DEDUCED;
	}

	boolean hasNamedField(String name) {
		return this.map != null && this.map.fields.containsKey(name);
	}

	boolean isAtomicMap() {
		return this.map != null && this.map.atomic;
	}

	boolean isAtomicList() {
		return this.list == null || this.list.atomic;
	}

	/**
	 * Shape of a value.
	 */
	enum Shape {

		/**
		 * A map or a struct.
		 */
		MAP,

		/**
		 * A string, number or boolean.
		 */
		SCALAR,

		/**
		 * A list.
		 */
		LIST

	}

	/**
	 * Type of a scalar.
	 */
	enum Scalar {

		/**
		 * A string.
		 */
		STRING,

		/**
		 * A number.
		 */
		NUMBER,

		/**
		 * A boolean.
		 */
		BOOLEAN,

		/**
		 * Any scalar.
		 */
		ANY;

		boolean allows(JsonNode value) {
			return value.isNull() || switch (this) {
				case STRING -> value.isString();
				case NUMBER -> value.isNumber();
				case BOOLEAN -> value.isBoolean();
				case ANY -> value.isValueNode();
			};
		}

	}

	/**
	 * Type of a list.
	 *
	 * @param declared the type of its elements; {@code null} for any value
	 * @param atomic whether the list has one owner
	 * @param keys the fields that identify an element; none in a set, whose elements are
	 * their own keys
	 */
	record ListType(@Nullable FieldType declared, boolean atomic, List<String> keys) {

		FieldType element() {
			return (this.declared != null) ? this.declared : ATOMIC;
		}

		/**
		 * Return the path element of an element.
		 * @throws IllegalArgumentException if it has no key
		 */
		PathElement pathOf(JsonNode item) {
			if (this.keys.isEmpty()) {
				if (item.isContainer()) {
					throw new IllegalArgumentException(
							item.isObject() ? "associative list without keys has an element that's a map type"
									: "not supported: associative list with lists as elements");
				}
				if (item.isNull()) {
					throw new IllegalArgumentException(
							"associative list without keys has an element that's an explicit null");
				}
				return PathElement.value(item);
			}
			if (!item.isObject()) {
				throw new IllegalArgumentException(
						item.isNull() ? "associative list with keys may not have a null element"
								: "associative list with keys may not have non-map elements");
			}
			return PathElement.key(keyOf(item));
		}

		private ObjectNode keyOf(JsonNode item) {
			ObjectNode key = Json.object();
			for (String name : this.keys.stream().sorted().toList()) {
				JsonNode value = item.has(name) ? item.get(name) : keyDefault(name);
				if (value != null) {
					key.set(name, value);
				}
			}
			if (key.isEmpty()) {
				throw new IllegalArgumentException(
						"associative list with keys has an element that omits all key fields "
								+ this.keys.stream().map(StatusErrors::quoted).toList().toString().replace(",", "")
								+ " (and doesn't have default values for any key fields)");
			}
			return key;
		}

		private @Nullable JsonNode keyDefault(String name) {
			MapType map = element().map;
			Field field = (map != null) ? map.fields.get(name) : null;
			return (field != null) ? field.defaultValue() : null;
		}

	}

	/**
	 * Type of a map or struct.
	 */
	static final class MapType {

		private final Map<String, Field> fields;

		private final boolean atomic;

		private @Nullable FieldType others;

		MapType(Map<String, Field> fields, boolean atomic) {
			this.fields = fields;
			this.atomic = atomic;
		}

		Map<String, Field> fields() {
			return this.fields;
		}

		/**
		 * Return the type of the fields without a name in the type.
		 */
		@Nullable FieldType others() {
			return this.others;
		}

		@Nullable FieldType type(String name) {
			Field field = this.fields.get(name);
			return (field != null) ? field.type() : this.others;
		}

	}

	/**
	 * Named field of a struct.
	 *
	 * @param type the type of its value
	 * @param omitsZero whether JSON of the real server leaves out a zero
	 * @param zero the value that JSON of the real server has for an absent one, an empty
	 * map for a struct with its zeros; {@code null} if it has none
	 * @param defaultValue the default, which also identifies list elements without the
	 * key; {@code null} if it has none
	 */
	record Field(FieldType type, boolean omitsZero, @Nullable JsonNode zero, @Nullable JsonNode defaultValue) {
	}

}
