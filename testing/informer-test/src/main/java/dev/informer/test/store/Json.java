/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Operations on JSON trees.
 */
public final class Json {

	/**
	 * Mapper that rejects numbers that Go cannot read.
	 */
	public static final JsonMapper MAPPER = JsonMapper.builder().nodeFactory(new JsonNodeFactory() {

		private static final long serialVersionUID = 1L;

		@Override
		public NumericNode numberNode(double number) {
			if (!Double.isFinite(number)) {
				throw new StreamReadException("json: cannot unmarshal number into Go value of type float64");
			}
			return super.numberNode(number);
		}

	}).build();

	private static final String OFFICIAL = "io.kubernetes.client.";

	private static final ObjectWriter SORTED = MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);

	private Json() {
	}

	public static ObjectNode object() {
		return MAPPER.createObjectNode();
	}

	public static byte[] bytes(JsonNode node) {
		return MAPPER.writeValueAsBytes(node);
	}

	public static byte[] sortedBytes(JsonNode node) {
		return SORTED.writeValueAsBytes(node);
	}

	static ObjectNode parse(byte[] json) {
		return (ObjectNode) MAPPER.readTree(json);
	}

	public static ObjectNode childObject(ObjectNode parent, String name) {
		if (parent.get(name) instanceof ObjectNode child) {
			return child;
		}
		return parent.putObject(name);
	}

	public static String text(JsonNode node, String name) {
		return node.path(name).asString("");
	}

	/**
	 * Return whether two values are equal, numbers by their value.
	 */
	public static boolean isSame(JsonNode one, JsonNode other) {
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
	public static ObjectNode tree(Object source) {
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
			JsonNode model = model(source);
			if (model != null) {
				return model;
			}
			return MAPPER.readTree(MAPPER.writeValueAsBytes(source));
		}
		catch (JacksonException | ReflectiveOperationException ex) {
			throw new IllegalArgumentException(
					"Cannot convert " + source.getClass().getName() + " to JSON: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Return the tree of a model of the official client, or of an object of a class that
	 * implements its interface, as the client writes it; {@code null} for other objects.
	 */
	private static @Nullable JsonNode model(Object source) throws ReflectiveOperationException {
		Class<?> type = source.getClass();
		try {
			Method method = type.getMethod("toJson");
			if (method.getReturnType() == String.class) {
				return MAPPER.readTree((String) method.invoke(source));
			}
		}
		catch (NoSuchMethodException ex) {
			// not a model
		}
		try {
			Class<?> object = Class.forName(OFFICIAL + "common.KubernetesObject", false, type.getClassLoader());
			return object.isInstance(source) ? model(source, object) : null;
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

	private static JsonNode model(Object source, Class<?> object) throws ReflectiveOperationException {
		ClassLoader loader = object.getClassLoader();
		if (Class.forName(OFFICIAL + "util.generic.dynamic.DynamicKubernetesObject", false, loader)
			.isInstance(source)) {
			return MAPPER.readTree(String.valueOf(source.getClass().getMethod("getRaw").invoke(source)));
		}
		Object gson = Class.forName(OFFICIAL + "openapi.JSON", true, loader).getMethod("getGson").invoke(null);
		JsonNode tree = MAPPER
			.readTree((String) gson.getClass().getMethod("toJson", Object.class).invoke(gson, source));
		if (tree instanceof ObjectNode node) {
			// of a class whose methods return constants
			putIfAbsent(node, "apiVersion", object.getMethod("getApiVersion").invoke(source));
			putIfAbsent(node, "kind", object.getMethod("getKind").invoke(source));
		}
		return tree;
	}

	private static void putIfAbsent(ObjectNode node, String name, @Nullable Object value) {
		if (!node.has(name) && value != null) {
			node.put(name, value.toString());
		}
	}

	/**
	 * Apply a merge patch (RFC 7386).
	 */
	public static ObjectNode merge(ObjectNode target, ObjectNode patch) {
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
