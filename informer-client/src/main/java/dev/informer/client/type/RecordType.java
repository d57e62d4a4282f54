/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Type of records, which are created from the values of their components.
 */
public final class RecordType extends ObjectType {

	private final Constructor<?> constructor;

	private final List<String> components;

	/**
	 * Create a type.
	 * @param source builds the properties, without those of components that are ignored
	 */
	RecordType(Class<?> raw, Constructor<?> constructor, Supplier<List<ObjectProperty>> source) {
		super(raw, (Unconstructed) () -> {
			throw new NoSuchMethodException();
		}, source);
		this.constructor = constructor;
		this.components = Stream.of(raw.getRecordComponents()).map(RecordComponent::getName).toList();
	}

	/**
	 * Return the position of a property among the components.
	 */
	public int position(ObjectProperty property) {
		return this.components.indexOf(property.field().getName());
	}

	/**
	 * Return the values of all components in a record of which nothing was set:
	 * {@code null}, zero and {@code false}.
	 */
	public @Nullable Object[] unset() {
		return Stream.of(this.constructor.getParameterTypes()).map(RecordType::unset).toArray();
	}

	private static @Nullable Object unset(Class<?> type) {
		return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
	}

	/**
	 * Create a record. Calls user code.
	 * @throws ReflectiveOperationException if the constructor throws
	 * @throws IllegalArgumentException if a value does not fit
	 */
	public Object create(@Nullable Object[] values) throws ReflectiveOperationException {
		return this.constructor.newInstance(values);
	}

	@Override
	Object copy(Object value, int depth) {
		@Nullable Object[] values = unset();
		for (ObjectProperty property : table().all()) {
			values[position(property)] = property.copy(value, depth);
		}
		try {
			return create(values);
		}
		catch (ReflectiveOperationException ex) {
			throw InvalidValueException.thrown("the constructor of " + raw().getName(), ex);
		}
	}

}
