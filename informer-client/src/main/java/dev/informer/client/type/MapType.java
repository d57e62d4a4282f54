/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import org.jspecify.annotations.Nullable;

/**
 * Type of maps.
 */
public final class MapType extends ValueType {

	private final ValueType keys;

	private final ValueType values;

	private final @Nullable Supplier<Map<@Nullable Object, @Nullable Object>> factory;

	/**
	 * Create a type.
	 * @param factory creates a map of the class that a field requires; {@code null} if
	 * any map in insertion order fits
	 */
	MapType(Class<?> raw, ValueType keys, ValueType values,
			@Nullable Supplier<Map<@Nullable Object, @Nullable Object>> factory) {
		super(raw);
		this.keys = keys;
		this.values = values;
		this.factory = factory;
	}

	/**
	 * Return the type of the keys.
	 */
	public ValueType keys() {
		return this.keys;
	}

	/**
	 * Return the type of the values.
	 */
	public ValueType values() {
		return this.values;
	}

	/**
	 * Return whether any map in insertion order fits, such as a compact one.
	 */
	public boolean isMap() {
		return this.factory == null;
	}

	/**
	 * Return whether the key of a name is written as the same name. A patch would add a
	 * second entry otherwise. Constants of enums may have other names, which are only
	 * read. Calls user code.
	 */
	public boolean writes(String name) {
		if (this.keys.raw() == String.class || this.keys.raw().isEnum()) {
			return true;
		}
		Object key = this.keys.ofName(name);
		return key == null || name(key, 0).equals(name);
	}

	/**
	 * Create a map of alternating names and values. Calls user code.
	 * @throws RuntimeException if a name or value does not fit
	 */
	public Map<?, ?> create(@Nullable Object[] table) {
		Map<@Nullable Object, @Nullable Object> map = create();
		for (int i = 0; i < table.length; i += 2) {
			Object key = this.keys.ofName(String.valueOf(table[i]));
			// an unknown constant of an enum
			if (key != null) {
				map.put(key, table[i + 1]);
			}
		}
		return map;
	}

	private Map<@Nullable Object, @Nullable Object> create() {
		return (this.factory != null) ? this.factory.get() : new LinkedHashMap<>();
	}

	@Override
	boolean isSameKind(ValueType other) {
		return other instanceof MapType;
	}

	@Override
	Object copy(Object value, int depth) {
		try {
			Map<@Nullable Object, @Nullable Object> copy = emptyLike((Map<?, ?>) value);
			for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
				copy.put(this.keys.copyNullable(entry.getKey(), depth),
						this.values.copyNullable(entry.getValue(), depth));
			}
			return copy;
		}
		catch (NullPointerException | ClassCastException | UnsupportedOperationException ex) {
			throw InvalidValueException.thrown("a " + this, ex);
		}
	}

	/**
	 * Create an empty map with the order of another.
	 */
	@SuppressWarnings("unchecked")
	private Map<@Nullable Object, @Nullable Object> emptyLike(Map<?, ?> other) {
		Map<@Nullable Object, @Nullable Object> created = create();
		Comparator<Object> order = (other instanceof SortedMap<?, ?> map) ? (Comparator<Object>) map.comparator()
				: null;
		if (order != null && created.getClass() == TreeMap.class) {
			return new TreeMap<>(order);
		}
		return (order != null && created.getClass() == ConcurrentSkipListMap.class) ? new ConcurrentSkipListMap<>(order)
				: created;
	}

	@Override
	JsonElement write(Object value, int depth) {
		JsonObject object = new JsonObject();
		for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
			Object element = entry.getValue();
			JsonElement written = this.values.writeNullable(element, depth);
			// null is a value of an open schema
			if (this.values instanceof TreeType || (element != null && !isUnset(element, written))) {
				object.add(name(entry.getKey(), depth), written);
			}
		}
		return object;
	}

	/**
	 * Return the name in JSON of a key.
	 */
	private String name(@Nullable Object key, int depth) {
		if (this.keys.writeNullable(key, depth) instanceof JsonPrimitive name) {
			return name.getAsString();
		}
		throw new InvalidValueException("it has a key "
				+ ((key != null) ? "of " + key.getClass().getName() : "that is null") + ". Use keys of type String");
	}

	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		if (one instanceof PackedJson packed && packed.hasSameJson(other)) {
			return null;
		}
		Map<?, ?> map = byName((Map<?, ?>) one, depth);
		Map<?, ?> others = byName((Map<?, ?>) other, depth);
		if (map.size() != others.size()) {
			return "";
		}
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			Object value = others.get(entry.getKey());
			String path = (value == null && !others.containsKey(entry.getKey())) ? ""
					: this.values.differenceOfNullable(entry.getValue(), value, depth);
			if (path != null) {
				return "." + entry.getKey() + path;
			}
		}
		return null;
	}

	/**
	 * Return a map by its names in JSON, if its keys are of a class of the user, which
	 * may have no {@code equals}.
	 */
	private Map<?, ?> byName(Map<?, ?> map, int depth) {
		if (this.keys instanceof ScalarType || this.keys instanceof TreeType) {
			return map;
		}
		Map<String, @Nullable Object> named = new LinkedHashMap<>();
		map.forEach((key, value) -> named.put(name(key, depth), value));
		return named;
	}

}
