/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Property of a class: its field and the decoder of its values.
 */
final class ObjectProperty {

	private final Field field;

	private final boolean primitive;

	private final ValueDecoder decoder;

	/** Racy single-check: threads may generate the setter twice; either one works. */
	private @Nullable BiConsumer<Object, @Nullable Object> setter;

	ObjectProperty(Field field, ValueDecoder decoder) {
		this.field = field;
		this.primitive = field.getType().isPrimitive();
		this.decoder = decoder;
	}

	ValueDecoder decoder() {
		return this.decoder;
	}

	Class<?> type() {
		return this.field.getType();
	}

	/**
	 * Return whether the type of the field is List, Collection or Map.
	 */
	boolean isCollection() {
		return type() == List.class || type() == Collection.class || type() == Map.class;
	}

	/**
	 * Decode the current value into the field. JSON's {@code null} overwrites the value
	 * that the constructor set, unless the type of the field is primitive.
	 */
	void read(TokenReader reader, Object target) {
		Object value = this.decoder.decodeNullable(reader);
		if (value != null || !this.primitive) {
			set(target, value);
		}
	}

	void set(Object target, @Nullable Object value) {
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

	@Nullable Object get(Object target) {
		try {
			return this.field.get(target);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Cannot read " + this.field, ex);
		}
	}

}
