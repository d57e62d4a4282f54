/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Property of a class: a field, with its names in JSON and the type of its values, and
 * its generated setter where that is faster.
 */
public final class ObjectProperty {

	private final Field field;

	private final PropertyNames names;

	private final Supplier<ValueType> source;

	/** Racy single-check: threads may build the type twice; either one works. */
	private @Nullable ValueType type;

	/** Racy single-check, too. */
	private @Nullable BiConsumer<Object, @Nullable Object> setter;

	private boolean emptyByDefault;

	/**
	 * Create a property.
	 * @param source builds the type of the values at the first use
	 */
	ObjectProperty(Field field, PropertyNames names, Supplier<ValueType> source) {
		this.field = field;
		this.names = names;
		this.source = source;
	}

	/**
	 * Return the field, which is accessible.
	 */
	public Field field() {
		return this.field;
	}

	/**
	 * Return the type of the values.
	 * @throws IllegalArgumentException if they cannot be decoded
	 */
	public ValueType type() {
		ValueType known = this.type;
		if (known == null) {
			known = this.source.get();
			this.type = known;
		}
		return known;
	}

	/**
	 * Return the names in JSON. The first one is written, all are read.
	 */
	List<String> names() {
		return this.names.all();
	}

	/**
	 * Return whether this is the property of the API server that informers skip by
	 * default.
	 */
	public boolean isManagedFields() {
		return this.field.getDeclaringClass() == V1ObjectMeta.class && "managedFields".equals(this.field.getName());
	}

	/**
	 * Return whether JSON's {@code null} leaves the value that the constructor has set.
	 */
	public boolean skipsNull() {
		return this.field.getType().isPrimitive() || this.names.skipsNull();
	}

	/**
	 * Return whether the type of the field is List, Collection or Map.
	 */
	boolean isCollection() {
		Class<?> raw = this.field.getType();
		return raw == List.class || raw == Collection.class || raw == Map.class;
	}

	/**
	 * Note that the constructor sets an empty collection, which is therefore not written.
	 */
	void emptyByDefault() {
		this.emptyByDefault = true;
	}

	/**
	 * Set the value, which has the type of the field.
	 */
	public void set(Object target, @Nullable Object value) {
		BiConsumer<Object, @Nullable Object> known = this.setter;
		if (known == null) {
			Class<?> owner = this.field.getDeclaringClass();
			BiConsumer<Object, @Nullable Object> generated = GeneratedAccess.suits(owner)
					? GeneratedAccess.setter(this.field) : null;
			known = (generated != null) ? generated : this::reflect;
			this.setter = known;
		}
		known.accept(target, value);
	}

	private void reflect(Object target, @Nullable Object value) {
		try {
			this.field.set(target, value);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Cannot set " + this.field, ex);
		}
	}

	/**
	 * Return the value.
	 */
	public @Nullable Object get(Object target) {
		try {
			return this.field.get(target);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Cannot read " + this.field, ex);
		}
	}

	/**
	 * Return a copy of the value.
	 */
	@Nullable Object copy(Object target, int depth) {
		Object value = get(target);
		try {
			return (value != null) ? type().copyNullable(value, depth) : null;
		}
		catch (InvalidValueException ex) {
			throw ex.in(this.names.written());
		}
	}

	/**
	 * Add the value to the JSON of its object, unless it was not set.
	 */
	void write(Object target, JsonObject json, int depth) {
		Object value = get(target);
		if (value == null || (this.emptyByDefault && isEmpty(value))
				|| (this.names.omitsEmpty() && isEmptyForJackson(value))) {
			return;
		}
		try {
			JsonElement written = type().writeNullable(value, depth);
			if (!ValueType.isUnset(value, written)) {
				json.add(this.names.written(), written);
			}
		}
		catch (InvalidValueException ex) {
			throw ex.in(this.names.written());
		}
	}

	/**
	 * Return the path to the first difference of the values of two objects.
	 */
	@Nullable String difference(Object one, Object other, int depth) {
		Object value = get(one);
		Object second = get(other);
		String path = (value != second) ? type().differenceOfNullable(value, second, depth) : null;
		return (path != null) ? "." + this.names.written() + path : null;
	}

	/**
	 * Return whether a value is an empty collection or map.
	 */
	static boolean isEmpty(@Nullable Object value) {
		return (value instanceof Collection<?> collection && collection.isEmpty())
				|| (value instanceof Map<?, ?> map && map.isEmpty());
	}

	private static boolean isEmptyForJackson(Object value) {
		return isEmpty(value) || value.equals("") || (value.getClass().isArray() && Array.getLength(value) == 0);
	}

	@Override
	public String toString() {
		return this.field.getDeclaringClass().getName() + "." + this.field.getName();
	}

}
