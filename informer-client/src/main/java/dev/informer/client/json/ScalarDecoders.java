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
import java.util.Objects;
import java.util.function.Function;

import dev.informer.client.model.SharedNumbers;
import dev.informer.client.model.SharedTimes;
import dev.informer.client.model.SharedValues;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import static java.util.Map.entry;

/**
 * Decoders of values that are one token. They accept the same tokens as the official
 * client's Gson: scalars for strings, and strings for numbers and booleans. Unlike Gson
 * they reject numbers that the type cannot represent.
 */
final class ScalarDecoders {

	private static final Map<Class<?>, ValueDecoder> DECODERS = Map.ofEntries(
			entry(Boolean.class, ScalarDecoders::bool), entry(boolean.class, ScalarDecoders::bool),
			entry(Integer.class, ScalarDecoders::intValue), entry(int.class, ScalarDecoders::intValue),
			entry(Long.class, ScalarDecoders::longValue), entry(long.class, ScalarDecoders::longValue),
			entry(Short.class, ScalarDecoders::shortValue), entry(short.class, ScalarDecoders::shortValue),
			entry(Byte.class, ScalarDecoders::byteValue), entry(byte.class, ScalarDecoders::byteValue),
			entry(Double.class, ScalarDecoders::doubleValue), entry(double.class, ScalarDecoders::doubleValue),
			entry(Float.class, ScalarDecoders::floatValue), entry(float.class, ScalarDecoders::floatValue),
			entry(BigDecimal.class, (reader) -> number(reader, "a number", (number) -> number)),
			entry(BigInteger.class, ScalarDecoders::bigInteger), entry(byte[].class, ScalarDecoders::bytes));

	/** Parsing takes quadratic time. */
	private static final int MAX_TREE_DIGITS = 1000;

	private static final SharedValues<IntOrString> NUMBERS = new SharedValues<>(256,
			(text) -> new IntOrString(Integer.parseInt(text)));

	private ScalarDecoders() {
	}

	/**
	 * Return a decoder of the values of one property.
	 */
	static ValueDecoder of(Class<?> type) {
		if (type == String.class) {
			return string();
		}
		if (type == OffsetDateTime.class) {
			return new SharedDecoder<>(SharedTimes.TEXTS, "a timestamp");
		}
		if (type == Quantity.class) {
			return new SharedDecoder<>(SharedValues.QUANTITIES, "a quantity");
		}
		return (type == IntOrString.class) ? intOrString() : Objects.requireNonNull(DECODERS.get(type));
	}

	/**
	 * Return a decoder of the strings of one property.
	 */
	static ValueDecoder string() {
		return new SharedDecoder<>(SharedValues.STRINGS, "a string");
	}

	private static ValueDecoder intOrString() {
		ValueDecoder numbers = new SharedDecoder<>(NUMBERS, "an integer of 32 bits");
		ValueDecoder strings = new SharedDecoder<>(SharedValues.INT_OR_STRINGS, "a string");
		return (reader) -> switch (reader.parser().currentToken()) {
			case VALUE_STRING -> strings.decode(reader);
			case VALUE_NUMBER_INT -> numbers.decode(reader);
			// as for integers, whose fraction may be zero
			default -> new IntOrString(number(reader, "an integer of 32 bits or a string", BigDecimal::intValueExact));
		};
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

	private static Integer intValue(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			try {
				return SharedNumbers.box(parser.getIntValue());
			}
			catch (JacksonException ex) {
				throw reader.mismatch("an integer of 32 bits");
			}
		}
		return number(reader, "an integer of 32 bits", BigDecimal::intValueExact);
	}

	private static Long longValue(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			try {
				return SharedNumbers.box(parser.getLongValue());
			}
			catch (JacksonException ex) {
				throw reader.mismatch("an integer of 64 bits");
			}
		}
		return number(reader, "an integer of 64 bits", BigDecimal::longValueExact);
	}

	private static Short shortValue(TokenReader reader) {
		return number(reader, "an integer of 16 bits", BigDecimal::shortValueExact);
	}

	private static Byte byteValue(TokenReader reader) {
		return number(reader, "an integer of 8 bits", BigDecimal::byteValueExact);
	}

	/**
	 * Decode a number of an open schema: a {@code Long}, or a {@code BigInteger} if that
	 * is too small; a {@code Double} if it has a fraction or an exponent.
	 */
	static Number numberValue(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (!parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
			return doubleValue(reader);
		}
		if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
			return SharedNumbers.box(parser.getLongValue());
		}
		if (parser.getStringLength() > MAX_TREE_DIGITS) {
			throw reader.mismatch("an integer of at most " + MAX_TREE_DIGITS + " digits");
		}
		return parser.getBigIntegerValue();
	}

	static Double doubleValue(TokenReader reader) {
		String text = numberText(reader, "a number", Integer.MAX_VALUE);
		try {
			double value = Double.parseDouble(text);
			if (Double.isFinite(value)) {
				return value;
			}
		}
		catch (NumberFormatException ex) {
			// reported below without the message of this exception, which quotes the
			// value
		}
		throw reader.mismatch("a number of 64 bits");
	}

	private static Float floatValue(TokenReader reader) {
		float value = doubleValue(reader).floatValue();
		if (!Float.isFinite(value)) {
			throw reader.mismatch("a number of 32 bits");
		}
		return value;
	}

	private static <N> N number(TokenReader reader, String expected, Function<BigDecimal, N> conversion) {
		String text = numberText(reader, expected, SharedNumbers.MAX_LENGTH);
		try {
			return conversion.apply(new BigDecimal(text));
		}
		catch (NumberFormatException | ArithmeticException ex) {
			throw reader.mismatch(expected);
		}
	}

	private static String numberText(TokenReader reader, String expected, int maxLength) {
		JsonToken token = reader.parser().currentToken();
		if (token.isNumeric() || token == JsonToken.VALUE_STRING) {
			String text = reader.parser().getString();
			if (text.length() <= maxLength) {
				return text;
			}
		}
		throw reader.mismatch(expected);
	}

	private static BigInteger bigInteger(TokenReader reader) {
		return number(reader, "an integer", (number) -> {
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
