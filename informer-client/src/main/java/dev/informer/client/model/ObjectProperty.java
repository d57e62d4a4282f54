/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Property of a class: a field, with its generated setter where that is faster.
 */
public final class ObjectProperty {

	private final Field field;

	private final Type type;

	/** Racy single-check: threads may generate the setter twice; either one works. */
	private @Nullable BiConsumer<Object, @Nullable Object> setter;

	ObjectProperty(Field field, Type type) {
		this.field = field;
		this.type = type;
	}

	/**
	 * Return the field, which is accessible.
	 */
	public Field field() {
		return this.field;
	}

	/**
	 * Return the type of the values, whose variables are resolved.
	 */
	public Type type() {
		return this.type;
	}

	/**
	 * Return whether the type of the field is List, Collection or Map.
	 */
	boolean isCollection() {
		Class<?> raw = this.field.getType();
		return raw == List.class || raw == Collection.class || raw == Map.class;
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

	@Override
	public String toString() {
		return this.field.getDeclaringClass().getName() + "." + this.field.getName();
	}

}
