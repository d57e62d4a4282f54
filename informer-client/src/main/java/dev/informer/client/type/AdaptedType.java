/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.BitSet;
import java.util.Calendar;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Type that only a Gson adapter knows, such as one of the user's. Its values are copied
 * and compared through their JSON.
 */
public final class AdaptedType extends ValueType {

	private final TypeAdapter<Object> adapter;

	private final boolean immutable;

	private final String name;

	@SuppressWarnings("unchecked")
	AdaptedType(Class<?> raw, TypeAdapter<?> adapter, boolean immutable, String name) {
		super(raw);
		this.adapter = (TypeAdapter<Object>) adapter;
		this.immutable = immutable;
		this.name = name;
	}

	/**
	 * Return the adapter, which may be code of the user.
	 */
	public TypeAdapter<?> adapter() {
		return this.adapter;
	}

	@Override
	boolean isName() {
		return !JsonElement.class.isAssignableFrom(raw()) && !Calendar.class.isAssignableFrom(raw())
				&& raw() != BitSet.class && raw() != AtomicIntegerArray.class;
	}

	@Override
	Object ofName(String name) {
		return this.adapter.fromJsonTree(new JsonPrimitive(name));
	}

	@Override
	Object copy(Object value, int depth) {
		if (this.immutable) {
			return value;
		}
		Object copy;
		try {
			copy = this.adapter.fromJsonTree(toJson(value));
		}
		catch (RuntimeException ex) {
			throw InvalidValueException.thrown("the adapter of " + this + ", with which it is copied,", ex);
		}
		if (copy == null) {
			throw new InvalidValueException("the adapter of " + this + " returned null for what it has written. "
					+ "Let it read what it writes");
		}
		return copy;
	}

	@Override
	JsonElement write(Object value, int depth) {
		return toJson(value);
	}

	private JsonElement toJson(Object value) {
		try {
			return tree(value);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw InvalidValueException.thrown("the adapter of " + this, ex);
		}
	}

	private JsonElement tree(Object value) {
		try {
			return this.adapter.toJsonTree(value);
		}
		catch (UnsupportedOperationException ex) {
			// the adapter writes text, which the writer of trees does not accept
			return JsonParser.parseString(this.adapter.toJson(value));
		}
	}

	/**
	 * Return the path to the first difference. The {@code equals} of Gson's trees
	 * compares numbers as doubles.
	 */
	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		if (one instanceof JsonElement tree && other instanceof JsonElement second) {
			return differenceOfTrees(tree, second);
		}
		return one.equals(other) ? null : differenceOfTrees(toJson(one), toJson(other));
	}

	private static @Nullable String differenceOfTrees(@Nullable JsonElement one, @Nullable JsonElement other) {
		if (one instanceof JsonObject object && other instanceof JsonObject others) {
			return differenceOfMembers(object, others);
		}
		if (one instanceof JsonArray array && other instanceof JsonArray others) {
			return differenceOfElements(array, others);
		}
		boolean equal = (one instanceof JsonPrimitive primitive && other instanceof JsonPrimitive second)
				? primitive.isString() == second.isString() && primitive.getAsString().equals(second.getAsString())
				: one != null && one.equals(other);
		return equal ? null : "";
	}

	private static @Nullable String differenceOfMembers(JsonObject one, JsonObject other) {
		Set<String> names = new LinkedHashSet<>(one.keySet());
		names.addAll(other.keySet());
		for (String name : names) {
			String path = differenceOfTrees(one.get(name), other.get(name));
			if (path != null) {
				return "." + name + path;
			}
		}
		return null;
	}

	private static @Nullable String differenceOfElements(JsonArray one, JsonArray other) {
		String path = (one.size() == other.size()) ? null : "";
		for (int i = 0; i < one.size() && path == null; i++) {
			String rest = differenceOfTrees(one.get(i), other.get(i));
			path = (rest != null) ? "[" + i + "]" + rest : null;
		}
		return path;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
