/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import com.google.gson.JsonElement;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are written as one value of another type: enums, and classes with
 * {@code @JsonValue} and {@code @JsonCreator}.
 */
public final class ConvertedType extends ValueType {

	private final ValueType written;

	private final Conversion to;

	private final Conversion from;

	private final boolean immutable;

	/**
	 * Create a type.
	 * @param to the conversion to a value that is written
	 * @param from the conversion of a value that was read, which is not {@code null}
	 */
	ConvertedType(Class<?> raw, ValueType written, Conversion to, Conversion from, boolean immutable) {
		super(raw);
		this.written = written;
		this.to = to;
		this.from = from;
		this.immutable = immutable;
	}

	/**
	 * Return the type of the values in JSON.
	 */
	public ValueType written() {
		return this.written;
	}

	/**
	 * Return whether the values are immutable, and thus can be shared.
	 */
	public boolean isImmutable() {
		return this.immutable;
	}

	/**
	 * Create a value from what was read. Calls user code.
	 * @return the value; {@code null} for an unknown one of an enum
	 * @throws IllegalArgumentException if the code of the user throws, with the cause
	 */
	public @Nullable Object create(Object read) {
		try {
			return this.from.convert(read);
		}
		catch (ReflectiveOperationException ex) {
			if (raw().isEnum()) {
				// how many creators report an unknown constant
				return null;
			}
			throw InvalidValueException.thrown("the creator of " + this, ex);
		}
	}

	private @Nullable Object toWritten(Object value) {
		try {
			return this.to.convert(value);
		}
		catch (ReflectiveOperationException ex) {
			throw InvalidValueException.thrown("the method with @JsonValue of " + this, ex);
		}
	}

	@Override
	boolean isName() {
		return this.written.isName();
	}

	@Override
	@Nullable Object ofName(String name) {
		Object read = this.written.ofName(name);
		return (read != null) ? create(read) : null;
	}

	@Override
	Object copy(Object value, int depth) {
		Object copy = this.immutable ? null : this.written.copyNullable(toWritten(value), depth);
		Object created = (copy != null) ? create(copy) : null;
		return (created != null) ? created : value;
	}

	@Override
	JsonElement write(Object value, int depth) {
		return this.written.writeNullable(toWritten(value), depth);
	}

	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		return this.written.differenceOfNullable(toWritten(one), toWritten(other), depth);
	}

	/**
	 * Conversion of a value.
	 */
	@FunctionalInterface
	interface Conversion {

		@Nullable Object convert(Object value) throws ReflectiveOperationException;

	}

}
