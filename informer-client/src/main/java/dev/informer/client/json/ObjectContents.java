/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.client.model.ObjectTable;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of objects by their contents: the fields that a decoder fills, the elements
 * of collections and arrays, and the entries of maps.
 * <p>
 * The {@code equals} of a model is not called. That of the official models compares
 * arrays by identity; that of users' models may be missing, compare only a part, or
 * throw. Values that are no models, such as timestamps, quantities and types with an
 * adapter, are compared by their {@code equals} first.
 */
public final class ObjectContents {

	/** Twice the depth of the deepest decoded value; reached only by cycles. */
	private static final int MAX_DEPTH = 2 * TokenReader.MAX_VALUE_DEPTH;

	private static final ClassValue<Contents> CONTENTS = new ClassValue<>() {

		@Override
		protected Contents computeValue(Class<?> type) {
			return Contents.of(type);
		}

	};

	private ObjectContents() {
	}

	/**
	 * Return whether two values have the same contents. Calls user code: the
	 * {@code equals} of types that are no models, and the methods of users' collections.
	 * @return {@code false} if they differ, or if user code throws any {@link Throwable}
	 */
	public static boolean equal(@Nullable Object one, @Nullable Object other) {
		try {
			return equal(one, other, 0);
		}
		catch (Throwable ex) {
			// A superfluous update is harmless, a missing one is not.
			return false;
		}
	}

	private static boolean equal(@Nullable Object one, @Nullable Object other, int depth)
			throws IllegalAccessException {
		if (one == other) {
			return true;
		}
		if (one == null || other == null || depth > MAX_DEPTH) {
			return false;
		}
		if (one instanceof Map<?, ?> map) {
			return other instanceof Map<?, ?> otherMap && equalEntries(map, otherMap, depth);
		}
		if (one instanceof Set<?> set) {
			return other instanceof Set<?> otherSet && (set.equals(otherSet) || equalElements(set, otherSet, depth));
		}
		if (one instanceof List<?> list) {
			return other instanceof List<?> otherList && equalElements(list, otherList, depth);
		}
		return one.getClass() == other.getClass() && equalValues(one, other, depth);
	}

	private static boolean equalEntries(Map<?, ?> one, Map<?, ?> other, int depth) throws IllegalAccessException {
		if (one instanceof PackedMap packed && other instanceof PackedMap otherPacked
				&& packed.hasSameJson(otherPacked)) {
			return true;
		}
		if (one.size() != other.size()) {
			return false;
		}
		for (Map.Entry<?, ?> entry : one.entrySet()) {
			Object value = other.get(entry.getKey());
			if ((value == null && !other.containsKey(entry.getKey())) || !equal(entry.getValue(), value, depth + 1)) {
				return false;
			}
		}
		return true;
	}

	private static boolean equalElements(Collection<?> one, Collection<?> other, int depth)
			throws IllegalAccessException {
		if (one.size() != other.size()) {
			return false;
		}
		Iterator<?> others = other.iterator();
		for (Object element : one) {
			if (!equal(element, others.next(), depth + 1)) {
				return false;
			}
		}
		return true;
	}

	private static boolean equalValues(Object one, Object other, int depth) throws IllegalAccessException {
		if (one instanceof Object[] array) {
			return equalElements(Arrays.asList(array), Arrays.asList((Object[]) other), depth);
		}
		if (one.getClass().isArray()) {
			return Arrays.deepEquals(new Object[] { one }, new Object[] { other });
		}
		Contents contents = CONTENTS.get(one.getClass());
		if (!contents.model() && one.equals(other)) {
			return true;
		}
		for (Field field : contents.fields()) {
			if (!equal(field.get(one), field.get(other), depth + 1)) {
				return false;
			}
		}
		return !contents.fields().isEmpty() || contents.model();
	}

	/**
	 * Fields of a class that are its contents.
	 *
	 * @param model whether the fields alone are the contents
	 * @param fields the fields; empty if only {@code equals} can compare the objects
	 */
	private record Contents(boolean model, List<Field> fields) {

		static Contents of(Class<?> type) {
			boolean model = type.isRecord() || ObjectTable.isModel(type);
			List<Field> fields = new ArrayList<>();
			Class<?> current = type;
			while (!isOfJava(current)) {
				for (Field field : current.getDeclaredFields()) {
					if (isContent(field, model)) {
						fields.add(field);
					}
				}
				current = current.getSuperclass();
			}
			boolean complete = current == Object.class || current == Record.class;
			return (complete && areAccessible(fields)) ? new Contents(model, fields) : new Contents(false, List.of());
		}

		private static boolean isOfJava(Class<?> type) {
			return type.getName().startsWith("java.") || type.getName().startsWith("com.google.gson.");
		}

		/**
		 * Decoders do not fill transient fields, but adapters may.
		 */
		private static boolean isContent(Field field, boolean model) {
			return !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()
					&& !(model && Modifier.isTransient(field.getModifiers()));
		}

		private static boolean areAccessible(List<Field> fields) {
			try {
				fields.forEach((field) -> field.setAccessible(true));
				return true;
			}
			catch (InaccessibleObjectException ex) {
				return false;
			}
		}

	}

}
