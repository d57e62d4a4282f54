/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;

import dev.informer.client.model.SharedValues;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

import static java.util.Map.entry;

/**
 * Decoders of values that are one token. They accept the same tokens as the official
 * client's Gson: scalars for strings, and strings for numbers and booleans.
 */
final class ScalarDecoders {

	private static final Map<Class<?>, ValueDecoder> DECODERS = Map.ofEntries(
			entry(Boolean.class, ScalarDecoders::bool), entry(boolean.class, ScalarDecoders::bool),
			entry(Integer.class, NumberDecoders::intValue), entry(int.class, NumberDecoders::intValue),
			entry(Long.class, NumberDecoders::longValue), entry(long.class, NumberDecoders::longValue),
			entry(Short.class, NumberDecoders::shortValue), entry(short.class, NumberDecoders::shortValue),
			entry(Byte.class, NumberDecoders::byteValue), entry(byte.class, NumberDecoders::byteValue),
			entry(Double.class, NumberDecoders::doubleValue), entry(double.class, NumberDecoders::doubleValue),
			entry(Float.class, NumberDecoders::floatValue), entry(float.class, NumberDecoders::floatValue),
			entry(BigDecimal.class, (reader) -> NumberDecoders.number(reader, "a number", (number) -> number)),
			entry(BigInteger.class, ScalarDecoders::bigInteger), entry(byte[].class, ScalarDecoders::bytes));

	private static final SharedValues<OffsetDateTime> TIMESTAMPS = new SharedValues<>(1 << 12, Timestamps::parse);

	private ScalarDecoders() {
	}

	/**
	 * Return the decoder of a type, or {@code null} if its values are not scalars.
	 */
	static @Nullable ValueDecoder find(Class<?> type) {
		if (type == String.class) {
			return string();
		}
		if (type == OffsetDateTime.class) {
			return new SharedDecoder<>(TIMESTAMPS, "a timestamp");
		}
		if (type == Quantity.class) {
			return new SharedDecoder<>(SharedValues.QUANTITIES, "a quantity");
		}
		return (type == IntOrString.class) ? new IntOrStringDecoder() : DECODERS.get(type);
	}

	/**
	 * Return a decoder of the strings of one property.
	 */
	static ValueDecoder string() {
		return new SharedDecoder<>(SharedValues.STRINGS, "a string");
	}

	private static String text(TokenReader reader, String expected) {
		if (!reader.parser().currentToken().isScalarValue()) {
			throw reader.mismatch(expected);
		}
		return reader.parser().getString();
	}

	private static Boolean bool(TokenReader reader) {
		return switch (text(reader, "true or false")) {
			case "true" -> Boolean.TRUE;
			case "false" -> Boolean.FALSE;
			default -> throw reader.mismatch("true or false");
		};
	}

	private static BigInteger bigInteger(TokenReader reader) {
		return NumberDecoders.number(reader, "an integer", (number) -> {
			if (number.precision() - (long) number.scale() > 1000) {
				throw new ArithmeticException();
			}
			return number.toBigIntegerExact();
		});
	}

	private static byte[] bytes(TokenReader reader) {
		String text = text(reader, "base64");
		try {
			return Base64.getDecoder().decode(text);
		}
		catch (IllegalArgumentException ex) {
			return lenientBytes(reader, text);
		}
	}

	private static byte[] lenientBytes(TokenReader reader, String text) {
		try {
			return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/').replaceAll("[ \\t\\r\\n]", ""));
		}
		catch (IllegalArgumentException ex) {
			throw reader.mismatch("base64");
		}
	}

}
