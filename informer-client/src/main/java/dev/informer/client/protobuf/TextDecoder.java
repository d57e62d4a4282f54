/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.charset.StandardCharsets;

import dev.informer.client.model.SharedValues;
import dev.informer.client.model.SharedValues.Entry;
import dev.informer.client.model.ValueLookup;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the texts of one field, which finds values that repeat without making a
 * string first.
 */
final class TextDecoder<V> implements MessageValues.ValueReader {

	private final ValueLookup<V> lookup;

	private final String expected;

	TextDecoder(SharedValues<V> values, String expected) {
		this.lookup = new ValueLookup<>(values);
		this.expected = expected;
	}

	@Override
	public @Nullable Object read(MessageReader reader) {
		int length = reader.length();
		byte[] buffer = reader.buffer();
		int offset = reader.position();
		reader.advance(length);
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
		if (this.lookup.isTooLong(length) || this.lookup.isSkipped()) {
			return this.lookup.create(MessageReader.text(buffer, offset, length));
		}
		Entry<V> next = this.lookup.expected();
		if (next != null && next.matches(buffer, offset, length)) {
			return this.lookup.hit(next);
		}
		int hash = length;
		int bits = 0;
		for (int i = offset; i < offset + length; i++) {
			byte value = buffer[i];
			hash = hash * 31 + value;
			bits |= value;
		}
		if (bits < 0) {
			return this.lookup.create(MessageReader.text(buffer, offset, length));
		}
		Entry<V> found = this.lookup.find(buffer, offset, length, hash);
		if (found != null) {
			return this.lookup.hit(found);
		}
		return this.lookup.add(new String(buffer, offset, length, StandardCharsets.ISO_8859_1), hash);
	}

}
