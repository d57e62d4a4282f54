/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Operations on JSON trees.
 */
final class Json {

	static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final ObjectWriter SORTED = MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);

	private Json() {
	}

	static ObjectNode object() {
		return MAPPER.createObjectNode();
	}

	static byte[] bytes(JsonNode node) {
		return MAPPER.writeValueAsBytes(node);
	}

	static byte[] sortedBytes(JsonNode node) {
		return SORTED.writeValueAsBytes(node);
	}

	static ObjectNode parse(byte[] json) {
		return (ObjectNode) MAPPER.readTree(json);
	}

	static ObjectNode childObject(ObjectNode parent, String name) {
		if (parent.get(name) instanceof ObjectNode child) {
			return child;
		}
		return parent.putObject(name);
	}

	static String text(JsonNode node, String name) {
		return node.path(name).asString("");
	}

	/**
	 * Return whether two values are equal, numbers by their value.
	 */
	static boolean isSame(JsonNode one, JsonNode other) {
		return one.equals(Json::compare, other);
	}

	private static int compare(JsonNode one, JsonNode other) {
		if (one.isNumber() && other.isNumber()) {
			return one.decimalValue().compareTo(other.decimalValue());
		}
		return one.equals(other) ? 0 : 1;
	}

	/**
	 * Convert an argument of the Java API to a tree.
	 */
	static ObjectNode tree(Object source) {
		JsonNode node = read(source);
		if (!(node instanceof ObjectNode object)) {
			throw new IllegalArgumentException("Not a JSON object: " + node.getNodeType());
		}
		return object;
	}

	private static JsonNode read(Object source) {
		try {
			if (source instanceof JsonNode node) {
				return node.deepCopy();
			}
			if (source instanceof CharSequence text) {
				return MAPPER.readTree(text.toString());
			}
			if (source instanceof byte[] bytes) {
				return MAPPER.readTree(bytes);
			}
			Method toJson = toJson(source);
			if (toJson != null) {
				return MAPPER.readTree((String) toJson.invoke(source));
			}
			return MAPPER.readTree(MAPPER.writeValueAsBytes(source));
		}
		catch (JacksonException | InvocationTargetException | IllegalAccessException ex) {
			throw new IllegalArgumentException(
					"Cannot convert " + source.getClass().getName() + " to JSON: " + ex.getMessage(), ex);
		}
	}

	private static @Nullable Method toJson(Object source) {
		try {
			Method method = source.getClass().getMethod("toJson");
			return (method.getReturnType() == String.class) ? method : null;
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/**
	 * Apply a merge patch (RFC 7386).
	 */
	static ObjectNode merge(ObjectNode target, ObjectNode patch) {
		patch.forEachEntry((name, value) -> {
			if (value.isNull()) {
				target.remove(name);
			}
			else if (value instanceof ObjectNode object) {
				ObjectNode child = (target.get(name) instanceof ObjectNode existing) ? existing : object();
				target.set(name, merge(child, object));
			}
			else {
				target.set(name, value);
			}
		});
		return target;
	}

}
