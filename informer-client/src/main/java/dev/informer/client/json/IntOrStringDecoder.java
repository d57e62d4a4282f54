/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.client.model.SharedValues;
import io.kubernetes.client.custom.IntOrString;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of {@link IntOrString} values.
 */
final class IntOrStringDecoder implements ValueDecoder {

	private static final SharedValues<IntOrString> NUMBERS = new SharedValues<>(256,
			(text) -> new IntOrString(Integer.parseInt(text)));

	private final ValueDecoder numbers = new SharedDecoder<>(NUMBERS, "an integer of 32 bits");

	private final ValueDecoder strings = new SharedDecoder<>(SharedValues.INT_OR_STRINGS, "a string");

	@Override
	public @Nullable Object decode(TokenReader reader) {
		return switch (reader.parser().currentToken()) {
			case VALUE_STRING -> this.strings.decode(reader);
			case VALUE_NUMBER_INT -> this.numbers.decode(reader);
			default -> throw reader.mismatch("an integer of 32 bits or a string");
		};
	}

}
