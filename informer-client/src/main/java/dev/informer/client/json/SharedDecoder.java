/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.function.Supplier;

import dev.informer.client.model.SharedValues;
import dev.informer.client.model.SharedValues.Entry;
import dev.informer.client.model.ValueLookup;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Decoder of the scalars of one property into values that all objects share.
 */
final class SharedDecoder<V> implements ValueDecoder {

	private static final int NAME_GROUPS = 64;

	private final ValueLookup<V> lookup;

	private final String expected;

	/**
	 * Create a decoder.
	 * @param expected the description of a fitting value, with its article
	 */
	SharedDecoder(SharedValues<V> values, String expected) {
		this.lookup = new ValueLookup<>(values);
		this.expected = expected;
	}

	/**
	 * Return a decoder of the values of a map, which keeps a separate decoder per group
	 * of names: values repeat per name.
	 */
	static ValueDecoder byName(Supplier<ValueDecoder> factory) {
		@Nullable ValueDecoder[] decoders = new ValueDecoder[NAME_GROUPS];
		return (reader) -> {
			int group = reader.parser().currentName().hashCode() & (NAME_GROUPS - 1);
			ValueDecoder decoder = decoders[group];
			if (decoder == null) {
				decoder = factory.get();
				decoders[group] = decoder;
			}
			return decoder.decode(reader);
		};
	}

	@Override
	public @Nullable Object decode(TokenReader reader) {
		if (!reader.parser().currentToken().isScalarValue()) {
			throw reader.mismatch(this.expected);
		}
		try {
			return decode(reader.parser());
		}
		catch (JacksonException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw reader.mismatch(this.expected);
		}
	}

	private V decode(JsonParser parser) {
		char[] text = parser.getStringCharacters();
		int offset = parser.getStringOffset();
		int length = parser.getStringLength();
		Entry<V> next = this.lookup.expected();
		return (next != null && next.matches(text, offset, length)) ? this.lookup.hit(next)
				: this.lookup.find(parser.getString());
	}

}
