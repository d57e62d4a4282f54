/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import dev.informer.client.model.SharedValues;
import dev.informer.client.model.SharedValues.Entry;
import dev.informer.client.model.ValueLookup;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the texts of one field, which finds the value that is likely to follow
 * without making a string first.
 */
final class TextDecoder<V> implements MessageValues.ValueReader {

	private final ValueLookup<V> lookup;

	private final String expected;

	TextDecoder(SharedValues<V> values, String expected) {
		this.lookup = new ValueLookup<>(values);
		this.expected = expected;
	}

	@Override
	public @Nullable Object read(MessageReader reader, @Nullable Object base) {
		int length = reader.length();
		byte[] buffer = reader.buffer();
		int offset = reader.position();
		reader.advance(length);
		if (base instanceof String text && Entry.matches(text, buffer, offset, length)) {
			return text;
		}
		try {
			return decode(buffer, offset, length);
		}
		catch (MalformedMessageException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new MalformedMessageException("expected " + this.expected);
		}
	}

	private V decode(byte[] buffer, int offset, int length) {
		Entry<V> next = this.lookup.expected();
		return (next != null && next.matches(buffer, offset, length)) ? this.lookup.hit(next)
				: this.lookup.find(MessageReader.text(buffer, offset, length));
	}

}
