/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.function.Supplier;

import dev.informer.client.model.SharedValues;
import dev.informer.client.model.SharedValues.Entry;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * Decoder of the scalars of one property into values that all objects share.
 * <p>
 * Consecutive objects have nearly the same values. The decoder therefore first compares
 * the text with the entry that followed the previous value the last time, and looks the
 * text up in {@link SharedValues} only if it differs. It also tracks the recent hit rate
 * of the property and skips the lookup while values do not repeat. One of eight values is
 * still looked up, because a long cycle does not look like a repetition at first.
 * <p>
 * Thread-safe without locks: entries are immutable, and lost updates of the other fields
 * cost a lookup.
 *
 * @param <V> the type of the values
 */
final class SharedDecoder<V> implements ValueDecoder {

	private static final int NAME_GROUPS = 64;

	private static final int MAX_LENGTH = 256;

	private static final int FOLLOWERS = 8;

	private static final int MAX_SCORE = 64;

	private static final int HIT_SCORE = 4;

	private static final int SAMPLING_INTERVAL = 8;

	private final SharedValues<V> values;

	private final String expected;

	private final @Nullable Entry<V>[] followers = SharedValues.newEntries(FOLLOWERS);

	private int previousHash;

	private int score = MAX_SCORE;

	private int skipped;

	/**
	 * Create a decoder.
	 * @param values the shared values
	 * @param expected the description of a fitting value, with its article
	 */
	SharedDecoder(SharedValues<V> values, String expected) {
		this.values = values;
		this.expected = expected;
	}

	/**
	 * Return a decoder of the values of a map, which keeps a separate decoder per group
	 * of names: values repeat per name.
	 * @param factory the factory of the separate decoders
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
		if (this.score == 0 && ++this.skipped % SAMPLING_INTERVAL != 0) {
			return this.values.create(parser.getString());
		}
		char[] text = parser.getStringCharacters();
		int length = parser.getStringLength();
		if (length > MAX_LENGTH) {
			recordMiss();
			return this.values.create(parser.getString());
		}
		int offset = parser.getStringOffset();
		int place = this.previousHash & (FOLLOWERS - 1);
		Entry<V> follower = this.followers[place];
		if (follower == null || !follower.matches(text, offset, length)) {
			follower = find(parser, text, offset, length);
			this.followers[place] = follower;
		}
		else {
			recordHit();
		}
		this.previousHash = follower.hash();
		return follower.value();
	}

	private Entry<V> find(JsonParser parser, char[] text, int offset, int length) {
		int hash = SharedValues.hash(text, offset, length);
		Entry<V> found = this.values.find(text, offset, length, hash);
		if (found != null) {
			recordHit();
			return found;
		}
		recordMiss();
		return this.values.add(parser.getString(), hash);
	}

	private void recordHit() {
		if (this.score < MAX_SCORE) {
			this.score += HIT_SCORE;
		}
	}

	private void recordMiss() {
		if (this.score > 0) {
			this.score--;
		}
	}

}
