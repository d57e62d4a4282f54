/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.Objects;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import org.jspecify.annotations.Nullable;

/**
 * Description of a Java type: how its values are created, copied, compared and written to
 * JSON. Each kind of type is a subclass. The decoders are made from the same
 * descriptions, so that whatever can be decoded can also be copied, compared and written.
 * <p>
 * The description of a class is built once and includes those of its properties. Values
 * are described by their own class where that is a subclass of the declared one, and
 * everywhere below a property of type {@code Object}.
 * <p>
 * Thread-safe, as long as the values are not modified.
 */
public abstract sealed class ValueType
		permits ScalarType, ConvertedType, CollectionType, ArrayType, MapType, ObjectType, TreeType, AdaptedType {

	/**
	 * Twice the depth of the deepest value that is decoded; reached only by cycles.
	 */
	private static final int MAX_DEPTH = 1000;

	private final Class<?> raw;

	ValueType(Class<?> raw) {
		this.raw = raw;
	}

	/**
	 * Return the description of a class.
	 * @throws IllegalArgumentException if its objects cannot be decoded; names the field
	 * to change
	 */
	public static ValueType of(Class<?> type) {
		return ValueTypes.of(type);
	}

	/**
	 * Return the description of a class, each of whose type parameters must have an
	 * argument: it is not known from a value.
	 * @throws IllegalArgumentException if its objects cannot be decoded; names the field
	 * to change
	 */
	public static ValueType declared(Class<?> type) {
		ValueTypes.declared(type, type.getName());
		return of(type);
	}

	/**
	 * Return the class of the values, without type arguments.
	 */
	public final Class<?> raw() {
		return this.raw;
	}

	/**
	 * Copy a value with everything in it, by its class. Only immutable values are shared
	 * with the copy.
	 * @throws IllegalArgumentException if it cannot be copied; names the property
	 */
	@SuppressWarnings("unchecked")
	public static <T> T copyOf(T value) {
		return (T) Objects.requireNonNull(TreeType.INSTANCE.copyNullable(value, 0));
	}

	/**
	 * Return the JSON of a value, by its class, without what was not set: properties that
	 * are {@code null}, and empty collections where the constructor creates an empty one.
	 * @throws IllegalArgumentException if it cannot be written; names the property
	 */
	public static JsonElement jsonOf(@Nullable Object value) {
		return TreeType.INSTANCE.writeNullable(value, 0);
	}

	/**
	 * Return whether two values have the same contents. Calls user code: adapters, the
	 * {@code equals} of adapted types, and the methods of users' collections.
	 * @return {@code false} if they differ, or if user code throws any {@link Throwable}:
	 * a superfluous update is harmless, a missing one is not
	 */
	public static boolean equal(@Nullable Object one, @Nullable Object other) {
		try {
			return difference(one, other) == null;
		}
		catch (Throwable ex) {
			return false;
		}
	}

	/**
	 * Return the path of the first part in which two values differ; {@code null} if they
	 * have the same contents. The models' own {@code equals} is not called: that of the
	 * official ones compares arrays by identity, those of users may compare only a part.
	 */
	public static @Nullable String difference(@Nullable Object one, @Nullable Object other) {
		String path = TreeType.INSTANCE.differenceOfNullable(one, other, 0);
		return (path != null && path.startsWith(".")) ? path.substring(1) : path;
	}

	final @Nullable Object copyNullable(@Nullable Object value, int depth) {
		return (value != null) ? describing(value).copy(value, deeper(depth)) : null;
	}

	/**
	 * Return whether an adapter has written {@code null}, for which a property is left
	 * out, as by Gson.
	 */
	static boolean isUnset(Object value, JsonElement written) {
		return written.isJsonNull() && !(value instanceof JsonElement);
	}

	final JsonElement writeNullable(@Nullable Object value, int depth) {
		return (value != null) ? describing(value).write(value, deeper(depth)) : JsonNull.INSTANCE;
	}

	/**
	 * Return the path to the first difference, which begins with the separator;
	 * {@code null} if there is none.
	 */
	final @Nullable String differenceOfNullable(@Nullable Object one, @Nullable Object other, int depth) {
		if (one == other) {
			return null;
		}
		if (one == null || other == null || depth > MAX_DEPTH) {
			return "";
		}
		ValueType type = describing(one);
		return type.isSameKind(describing(other)) ? type.difference(one, other, depth + 1) : "";
	}

	private static int deeper(int depth) {
		if (depth > MAX_DEPTH) {
			throw new InvalidValueException("it is nested more than " + MAX_DEPTH
					+ " levels deep, or contains itself. Remove the reference to an enclosing object");
		}
		return depth + 1;
	}

	/**
	 * Return the description of a value of this type, which may be of a subclass.
	 */
	ValueType describing(Object value) {
		return this;
	}

	/**
	 * Return whether values of another type can be equal to those of this one.
	 */
	boolean isSameKind(ValueType other) {
		return other.raw == this.raw;
	}

	/**
	 * Return whether the values can be the names of properties.
	 */
	boolean isName() {
		return false;
	}

	/**
	 * Return the value of the name of a property.
	 */
	@Nullable Object ofName(String name) {
		throw new IllegalStateException(this + " is no type of names");
	}

	/**
	 * Copy a value that this type describes.
	 */
	abstract Object copy(Object value, int depth);

	/**
	 * Return the JSON of a value that this type describes.
	 */
	abstract JsonElement write(Object value, int depth);

	/**
	 * Return the path to the first difference of two values that this type describes.
	 */
	abstract @Nullable String difference(Object one, Object other, int depth);

	@Override
	public String toString() {
		return this.raw.getTypeName();
	}

}
