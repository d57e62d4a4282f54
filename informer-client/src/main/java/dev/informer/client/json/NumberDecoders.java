/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.math.BigDecimal;
import java.util.function.Function;

import dev.informer.client.model.SharedNumbers;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoders of numbers. Like Gson they accept strings; unlike Gson they reject values that
 * the type cannot represent.
 */
final class NumberDecoders {

	private NumberDecoders() {
	}

	static Integer intValue(TokenReader reader) {
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

	static Long longValue(TokenReader reader) {
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

	static Short shortValue(TokenReader reader) {
		return number(reader, "an integer of 16 bits", BigDecimal::shortValueExact);
	}

	static Byte byteValue(TokenReader reader) {
		return number(reader, "an integer of 8 bits", BigDecimal::byteValueExact);
	}

	static Double doubleValue(TokenReader reader) {
		String text = text(reader, "a number", Integer.MAX_VALUE);
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

	static Float floatValue(TokenReader reader) {
		float value = doubleValue(reader).floatValue();
		if (!Float.isFinite(value)) {
			throw reader.mismatch("a number of 32 bits");
		}
		return value;
	}

	static <N> N number(TokenReader reader, String expected, Function<BigDecimal, N> conversion) {
		String text = text(reader, expected, SharedNumbers.MAX_LENGTH);
		try {
			return conversion.apply(new BigDecimal(text));
		}
		catch (NumberFormatException | ArithmeticException ex) {
			throw reader.mismatch(expected);
		}
	}

	private static String text(TokenReader reader, String expected, int maxLength) {
		JsonToken token = reader.parser().currentToken();
		if (token.isNumeric() || token == JsonToken.VALUE_STRING) {
			String text = reader.parser().getString();
			if (text.length() <= maxLength) {
				return text;
			}
		}
		throw reader.mismatch(expected);
	}

}
