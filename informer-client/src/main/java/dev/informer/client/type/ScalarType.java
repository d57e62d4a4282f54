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
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
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

	private static final int MAX_YEAR = 9999;

	/**
	 * Microseconds, which a {@code MicroTime} requires. The official client's adapter
	 * writes local times as those of UTC, and the year 0 as the year 1.
	 */
	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSXXX",
			Locale.ROOT);

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
		if (value instanceof OffsetDateTime time) {
			return new JsonPrimitive(TIME.format(utc(time)));
		}
		if (!(value instanceof Number number)) {
			return adapter().toJsonTree(value);
		}
		if (!Double.isFinite(number.doubleValue())) {
			// the server reads a number as one of 64 bits
			throw new InvalidValueException((value instanceof Double || value instanceof Float)
					? "JSON has no number " + value + ". Use a finite one"
					: "the API server has no number as large as it. Use one of at most 308 digits");
		}
		return new JsonPrimitive(number);
	}

	/**
	 * Return a time in UTC, if the year has four digits there.
	 */
	private static OffsetDateTime utc(OffsetDateTime time) {
		try {
			OffsetDateTime utc = time.withOffsetSameInstant(ZoneOffset.UTC);
			return (utc.getYear() >= 0 && utc.getYear() <= MAX_YEAR) ? utc : time;
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
