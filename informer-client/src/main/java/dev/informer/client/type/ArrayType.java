/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.Array;
import java.util.AbstractList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import org.jspecify.annotations.Nullable;

/**
 * Type of arrays, other than {@code byte[]}.
 */
public final class ArrayType extends ValueType {

	private final ValueType elements;

	ArrayType(Class<?> raw, ValueType elements) {
		super(raw);
		this.elements = elements;
	}

	/**
	 * Return the type of the elements.
	 */
	public ValueType elements() {
		return this.elements;
	}

	/**
	 * Create an array.
	 * @throws IllegalArgumentException if an element does not fit
	 */
	public Object create(List<?> elements) {
		Object array = Array.newInstance(raw().getComponentType(), elements.size());
		for (int i = 0; i < elements.size(); i++) {
			Object element = elements.get(i);
			if (element == null && raw().getComponentType().isPrimitive()) {
				throw new IllegalArgumentException("null is no primitive value");
			}
			Array.set(array, i, element);
		}
		return array;
	}

	@Override
	Object copy(Object value, int depth) {
		Object copy = Array.newInstance(value.getClass().getComponentType(), Array.getLength(value));
		for (int i = 0; i < Array.getLength(value); i++) {
			Array.set(copy, i, this.elements.copyNullable(Array.get(value, i), depth));
		}
		return copy;
	}

	@Override
	JsonElement write(Object value, int depth) {
		JsonArray array = new JsonArray(Array.getLength(value));
		view(value).forEach((element) -> array.add(this.elements.writeNullable(element, depth)));
		return array;
	}

	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		return CollectionType.differenceOfElements(view(one), view(other), this.elements, depth);
	}

	private static List<@Nullable Object> view(Object array) {
		return new AbstractList<>() {

			@Override
			public @Nullable Object get(int index) {
				return Array.get(array, index);
			}

			@Override
			public int size() {
				return Array.getLength(array);
			}

		};
	}

}
