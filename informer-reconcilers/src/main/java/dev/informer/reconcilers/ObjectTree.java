/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.annotations.JsonAdapter;
import dev.informer.client.model.ObjectProperty;
import dev.informer.client.model.ObjectTable;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * JSON of objects, without what was not set: properties that are {@code null}, and empty
 * collections where the constructor creates an empty one.
 */
final class ObjectTree {

	/** More than any object has; reached only by cycles. */
	private static final int MAX_DEPTH = 200;

	private static final Gson PLAIN = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

	private static final ClassValue<Optional<Model>> MODELS = new ClassValue<>() {

		@Override
		protected Optional<Model> computeValue(Class<?> type) {
			return ObjectTable.isModel(type) ? Optional.of(Model.of(type)) : Optional.empty();
		}

	};

	private ObjectTree() {
	}

	/**
	 * Return the tree of an object.
	 * @throws IllegalArgumentException if it contains itself, or its class cannot be
	 * written
	 */
	static JsonObject of(KubernetesObject object) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			return dynamic.getRaw().deepCopy();
		}
		return of((Object) object, 0).getAsJsonObject();
	}

	/**
	 * Return whether an object has a value of the property {@code spec}.
	 */
	static boolean hasSpec(KubernetesObject object) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			return dynamic.getRaw().has("spec");
		}
		ObjectProperty spec = MODELS.get(object.getClass()).map((model) -> model.properties().get("spec")).orElse(null);
		return spec != null && spec.get(object) != null;
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

	static JsonElement of(@Nullable Object value, int depth) {
		if (depth > MAX_DEPTH) {
			throw new IllegalArgumentException("Cannot write an object that is nested more than " + MAX_DEPTH
					+ " levels deep, or contains itself.");
		}
		if (value == null) {
			return JsonNull.INSTANCE;
		}
		if (value instanceof JsonElement tree) {
			return tree.deepCopy();
		}
		if (value instanceof Collection<?> collection) {
			JsonArray array = new JsonArray(collection.size());
			collection.forEach((element) -> array.add(of(element, depth + 1)));
			return array;
		}
		if (value instanceof Map<?, ?> map) {
			JsonObject object = new JsonObject();
			map.forEach((name, element) -> {
				if (element != null) {
					object.add(String.valueOf(name), of(element, depth + 1));
				}
			});
			return object;
		}
		Model model = MODELS.get(value.getClass()).orElse(null);
		return (model != null) ? model.write(value, depth) : JSON.getGson().toJsonTree(value);
	}

	/**
	 * Class that is written property by property.
	 *
	 * @param properties the properties by the name under which Gson writes them
	 * @param emptyByDefault those that the constructor sets to an empty collection
	 * @param adapted those with an adapter of their own
	 */
	private record Model(Map<String, ObjectProperty> properties, Set<ObjectProperty> emptyByDefault,
			Set<ObjectProperty> adapted) {

		static Model of(Class<?> type) {
			ObjectTable table = ObjectTable.of(type, true);
			Map<String, ObjectProperty> properties = new LinkedHashMap<>();
			Set<ObjectProperty> known = identitySet();
			table.properties().forEach((name, property) -> {
				// an alternative name is for reading only
				if (property != null && known.add(property)) {
					properties.put(name, property);
				}
			});
			Set<ObjectProperty> emptyByDefault = identitySet();
			Set<ObjectProperty> adapted = identitySet();
			Object created = create(table, type);
			for (ObjectProperty property : properties.values()) {
				Field field = property.field();
				if (isEmpty(property.get(created))) {
					emptyByDefault.add(property);
				}
				if (field.isAnnotationPresent(JsonAdapter.class)) {
					adapted.add(property);
				}
			}
			return new Model(properties, emptyByDefault, adapted);
		}

		private static Set<ObjectProperty> identitySet() {
			return Collections.newSetFromMap(new IdentityHashMap<>());
		}

		private static Object create(ObjectTable table, Class<?> type) {
			try {
				return table.create();
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalArgumentException(
						"Cannot write an object: the constructor of " + type.getName() + " fails", ex);
			}
		}

		private static boolean isEmpty(@Nullable Object value) {
			return (value instanceof Collection<?> collection && collection.isEmpty())
					|| (value instanceof Map<?, ?> map && map.isEmpty());
		}

		JsonObject write(Object object, int depth) {
			JsonObject tree = new JsonObject();
			this.properties.forEach((name, property) -> {
				Object value = property.get(object);
				if (value == null || (isEmpty(value) && this.emptyByDefault.contains(property))) {
					return;
				}
				tree.add(name,
						this.adapted.contains(property) ? JSON.getGson().toJsonTree(object).getAsJsonObject().get(name)
								: ObjectTree.of(value, depth + 1));
			});
			return tree;
		}

	}

}
