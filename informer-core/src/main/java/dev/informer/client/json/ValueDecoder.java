/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import org.jspecify.annotations.Nullable;

/**
 * Makes a value of one type from the tokens of the parser. Immutable once built, and
 * shared by all threads; what belongs to one response is in the {@link TokenReader}.
 */
interface ValueDecoder {

	/**
	 * Decodes the value whose first token is the current one, which is not
	 * {@code VALUE_NULL}. Its last token is the current one afterwards.
	 * @param reader where the tokens come from
	 * @return the value
	 * @throws UndecodableValueException when the JSON is well-formed but does not fit;
	 * the parser then stands somewhere in the value
	 */
	@Nullable Object decode(TokenReader reader);

	/**
	 * Decodes the value whose first token is the current one, {@code null} included.
	 * @param reader where the tokens come from
	 * @return the value; {@code null} for JSON's {@code null}
	 */
	default @Nullable Object decodeNullable(TokenReader reader) {
		return reader.isNull() ? null : decode(reader);
	}

}
