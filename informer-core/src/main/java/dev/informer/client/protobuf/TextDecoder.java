/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.charset.StandardCharsets;

import dev.informer.client.model.SharedValues;
import dev.informer.client.model.SharedValues.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the texts of one field, which finds values that repeat without making a
 * string first.
 *
 * @param <V> the type of the values
 */
final class TextDecoder<V> implements MessageValues.ValueReader {

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

	TextDecoder(SharedValues<V> values, String expected) {
		this.values = values;
		this.expected = expected;
	}

	@Override
	public @Nullable Object read(MessageReader reader) {
		int length = reader.length();
		byte[] buffer = reader.buffer();
		int offset = reader.position();
		reader.advance(length);
		if (length > MAX_LENGTH || (this.score == 0 && ++this.skipped % SAMPLING_INTERVAL != 0)) {
			return create(Utf8.decode(buffer, offset, length));
		}
		int place = this.previousHash & (FOLLOWERS - 1);
		Entry<V> follower = this.followers[place];
		if (follower != null && follower.matches(buffer, offset, length)) {
			recordHit();
			this.previousHash = follower.hash();
			return follower.value();
		}
		int hash = length;
		int bits = 0;
		for (int i = offset; i < offset + length; i++) {
			byte next = buffer[i];
			hash = hash * 31 + next;
			bits |= next;
		}
		if (bits < 0) {
			return create(Utf8.decode(buffer, offset, length));
		}
		Entry<V> found = this.values.find(buffer, offset, length, hash);
		if (found != null) {
			recordHit();
		}
		else {
			recordMiss();
			found = add(new String(buffer, offset, length, StandardCharsets.ISO_8859_1), hash);
		}
		this.followers[place] = found;
		this.previousHash = hash;
		return found.value();
	}

	private V create(String text) {
		try {
			return this.values.create(text);
		}
		catch (RuntimeException ex) {
			throw new MalformedMessageException("expected " + this.expected);
		}
	}

	private Entry<V> add(String text, int hash) {
		try {
			return this.values.add(text, hash);
		}
		catch (RuntimeException ex) {
			throw new MalformedMessageException("expected " + this.expected);
		}
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
