/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are one token of JSON. They are immutable, except {@code byte[]}.
 */
public final class ScalarType extends ValueType {

	private static final Set<Class<?>> SCALARS = Set.of(String.class, Boolean.class, boolean.class, Integer.class,
			int.class, Long.class, long.class, Short.class, short.class, Byte.class, byte.class, Double.class,
			double.class, Float.class, float.class, BigDecimal.class, BigInteger.class, byte[].class,
			OffsetDateTime.class, Quantity.class, IntOrString.class);

	ScalarType(Class<?> raw) {
		super(raw);
	}

	static boolean isScalar(Class<?> type) {
		return SCALARS.contains(type);
	}

	@Override
	boolean isName() {
		return raw() != byte[].class;
	}

	@Override
	Object ofName(String name) {
		return (raw() == String.class) ? name : adapter().fromJsonTree(new JsonPrimitive(name));
	}

	@Override
	Object copy(Object value, int depth) {
		return (value instanceof byte[] bytes) ? bytes.clone() : value;
	}

	@Override
	JsonElement write(Object value, int depth) {
		if (value instanceof String text) {
			return new JsonPrimitive(text);
		}
		if ((value instanceof Double || value instanceof Float) && !Double.isFinite(((Number) value).doubleValue())) {
			throw new InvalidValueException("JSON has no number " + value + ". Use a finite one");
		}
		return adapter().toJsonTree((value instanceof OffsetDateTime time) ? utc(time) : value);
	}

	/**
	 * Return a time in UTC, as which the official client's adapter would write the local
	 * time of another offset.
	 */
	private static OffsetDateTime utc(OffsetDateTime time) {
		try {
			return time.withOffsetSameInstant(ZoneOffset.UTC);
		}
		catch (DateTimeException ex) {
			throw new InvalidValueException("UTC has no time " + time + ". Use one that it has");
		}
	}

	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		boolean equal = (one instanceof byte[] bytes && other instanceof byte[] others) ? Arrays.equals(bytes, others)
				: (one instanceof OffsetDateTime time && other instanceof OffsetDateTime instant)
						? time.isEqual(instant) : one.equals(other);
		return equal ? null : "";
	}

	/**
	 * Return the adapter, which an informer that only reads does not load.
	 */
	@SuppressWarnings("unchecked")
	private TypeAdapter<Object> adapter() {
		return (TypeAdapter<Object>) JSON.getGson().getAdapter(raw());
	}

}
