/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonElement;
import dev.informer.client.model.ObjectProperty;
import dev.informer.client.model.ObjectTable;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Copies of objects for code that modifies them. An object of a cache is shared with all
 * readers and handlers, and its parts with other objects.
 */
public final class ObjectCopy {

	private static final ClassValue<ObjectTable> TABLES = new ClassValue<>() {

		@Override
		protected ObjectTable computeValue(Class<?> type) {
			return ObjectTable.of(type, true);
		}

	};

	private ObjectCopy() {
	}

	/**
	 * Copy an object with everything in it.
	 * @param <T> the type of the object
	 * @param object an object whose class an informer can have: a model of the official
	 * client, a class of a custom resource, an untyped object or metadata alone
	 * @return the copy, which has only immutable values in common with the object
	 * @throws IllegalArgumentException if objects of its class cannot be decoded, and
	 * therefore not be copied
	 */
	@SuppressWarnings("unchecked")
	public static <T extends KubernetesObject> T of(T object) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			return (T) new DynamicKubernetesObject(dynamic.getRaw().deepCopy());
		}
		return (T) copyOfModel(object);
	}

	private static Object copyOfModel(Object object) {
		ObjectTable table = TABLES.get(object.getClass());
		try {
			Object copy = table.create();
			for (ObjectProperty property : table.properties().values()) {
				if (property != null) {
					property.set(copy, copyOf(property.get(object)));
				}
			}
			return copy;
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalArgumentException(
					"Cannot copy an object: the constructor of " + object.getClass().getName() + " fails", ex);
		}
	}

	private static @Nullable Object copyOf(@Nullable Object value) {
		if (value instanceof List<?> list) {
			List<@Nullable Object> copy = new ArrayList<>(list.size());
			list.forEach((element) -> copy.add(copyOf(element)));
			return copy;
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
			map.forEach((key, element) -> copy.put(key, copyOf(element)));
			return copy;
		}
		if (value instanceof byte[] bytes) {
			return bytes.clone();
		}
		if (value instanceof JsonElement tree) {
			return tree.deepCopy();
		}
		return (value != null && ObjectTable.isModel(value.getClass())) ? copyOfModel(value) : value;
	}

}
