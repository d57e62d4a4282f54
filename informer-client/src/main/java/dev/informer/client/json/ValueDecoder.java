/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.time.OffsetDateTime;
import java.util.Arrays;

import io.kubernetes.client.custom.IntOrString;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of values of one type. Shared by all threads; the state of one response is in
 * the {@link TokenReader}.
 */
interface ValueDecoder {

	/**
	 * Decode the value whose first token is the current one, which is not
	 * {@code VALUE_NULL}. Its last token is the current one afterwards.
	 * @throws UndecodableValueException if the JSON is well-formed but does not fit; the
	 * current token is then somewhere in the value
	 */
	@Nullable Object decode(TokenReader reader);

	/**
	 * Decode the value whose first token is the current one; {@code null} for JSON's
	 * {@code null}.
	 */
	default @Nullable Object decodeNullable(TokenReader reader) {
		return reader.isNull() ? null : decode(reader);
	}

	/**
	 * Return a known value in place of a decoded one if they are exactly equal; otherwise
	 * the decoded one, with parts of the known one where those are equal.
	 */
	default @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (value instanceof String || value instanceof Number || value instanceof OffsetDateTime
				|| value instanceof IntOrString) {
			return value.equals(known) ? known : value;
		}
		return (value instanceof byte[] bytes && known instanceof byte[] other && Arrays.equals(bytes, other)) ? known
				: value;
	}

}
