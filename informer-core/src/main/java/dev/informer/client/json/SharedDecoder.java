/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.client.json.SharedValues.Entry;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Decodes scalars of one origin into values that all objects share. What followed the
 * previous value the last time is looked at first: one object's values are nearly those
 * of the object before.
 *
 * @param <V> the type of the values
 */
final class SharedDecoder<V> implements ValueDecoder {

	private static final int LONGEST = 256;

	private static final int FOLLOWERS = 8;

	private final SharedValues<V> values;

	private final String expected;

	private final HitRate usefulness = new HitRate();

	private final @Nullable Entry<V>[] followers = SharedValues.newEntries(FOLLOWERS);

	private int previous;

	/**
	 * Creates a decoder.
	 * @param values the values
	 * @param expected what fits, with its article
	 */
	SharedDecoder(SharedValues<V> values, String expected) {
		this.values = values;
		this.expected = expected;
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
		if (!this.usefulness.isExpected()) {
			return this.values.make(parser.getString());
		}
		char[] text = parser.getStringCharacters();
		int length = parser.getStringLength();
		if (length > LONGEST) {
			this.usefulness.miss();
			return this.values.make(parser.getString());
		}
		int offset = parser.getStringOffset();
		int place = this.previous & (FOLLOWERS - 1);
		Entry<V> follower = this.followers[place];
		if (follower == null || !follower.matches(text, offset, length)) {
			follower = find(parser, text, offset, length);
			this.followers[place] = follower;
		}
		else {
			this.usefulness.hit();
		}
		this.previous = follower.hash();
		return follower.value();
	}

	private Entry<V> find(JsonParser parser, char[] text, int offset, int length) {
		int hash = SharedValues.hash(text, offset, length);
		Entry<V> found = this.values.find(text, offset, length, hash);
		if (found != null) {
			this.usefulness.hit();
			return found;
		}
		this.usefulness.miss();
		return this.values.add(parser.getString(), hash);
	}

}
