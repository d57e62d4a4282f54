/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Decoder of any value into maps, lists, strings, booleans and numbers: a {@code Long} or
 * {@code BigInteger} for an integer, a {@code Double} for any other.
 */
final class TreeDecoder implements ValueDecoder {

	private final MapDecoder objects = new MapDecoder(this);

	private final ValueDecoder arrays = new ListDecoder(this);

	private final ValueDecoder numbers;

	TreeDecoder() {
		this(ScalarDecoders::numberValue);
	}

	/**
	 * Create a decoder with another type of numbers.
	 */
	TreeDecoder(ValueDecoder numbers) {
		this.numbers = numbers;
	}

	@Override
	public @Nullable Object decode(TokenReader reader) {
		return switch (reader.parser().currentToken()) {
			case START_OBJECT -> this.objects.decode(reader);
			case START_ARRAY -> this.arrays.decode(reader);
			case VALUE_STRING -> reader.string();
			case VALUE_TRUE -> Boolean.TRUE;
			case VALUE_FALSE -> Boolean.FALSE;
			case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> this.numbers.decode(reader);
			default -> throw reader.mismatch("a value");
		};
	}

	@Override
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (value instanceof Map<?, ?>) {
			return this.objects.share(value, known);
		}
		return (value instanceof List<?>) ? this.arrays.share(value, known) : ValueDecoder.super.share(value, known);
	}

}
