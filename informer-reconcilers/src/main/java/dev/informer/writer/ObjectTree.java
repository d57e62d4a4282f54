/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.nio.charset.StandardCharsets;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * JSON of objects.
 */
final class ObjectTree {

	private static final Gson PLAIN = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

	private ObjectTree() {
	}

	/**
	 * Return whether an object has a value of the property {@code spec}.
	 */
	static boolean hasSpec(KubernetesObject object) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			return dynamic.getRaw().has("spec");
		}
		ObjectProperty spec = ((ObjectType) ValueType.of(object.getClass())).property("spec");
		return spec != null && spec.get(object) != null;
	}

	/**
	 * Return the JSON of a new object of the same class; empty if it has none.
	 */
	static JsonObject ofNew(KubernetesObject object) {
		if (object instanceof DynamicKubernetesObject) {
			return new JsonObject();
		}
		try {
			return ValueType.jsonOf(((ObjectType) ValueType.of(object.getClass())).create()).getAsJsonObject();
		}
		catch (ReflectiveOperationException ex) {
			return new JsonObject();
		}
	}

	/**
	 * Return a text of the raw tree of an untyped object; empty if it has none.
	 */
	static String text(DynamicKubernetesObject object, String property) {
		return (object.getRaw().get(property) instanceof JsonPrimitive text) ? text.getAsString() : "";
	}

	/**
	 * Return the JSON of a tree, with its nulls.
	 */
	static byte[] bytes(JsonElement tree) {
		return PLAIN.toJson(tree).getBytes(StandardCharsets.UTF_8);
	}

}
