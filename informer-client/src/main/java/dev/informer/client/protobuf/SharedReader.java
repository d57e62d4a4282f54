/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.util.Arrays;

import dev.informer.client.protobuf.MessageValues.ValueReader;
import dev.informer.client.protobuf.SharedMessages.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a message, a list or a map that decodes equal bytes once.
 * <p>
 * Consecutive objects have nearly the same parts, so the bytes are first compared with
 * those that followed the previous ones the last time. While bytes do not repeat, only
 * one of eight is looked up otherwise.
 * <p>
 * Thread-safe without locks: lost updates cost a lookup.
 */
final class SharedReader implements ValueReader {

	private static final int FOLLOWERS = 8;

	private static final int MAX_SCORE = 64;

	private static final int HIT_SCORE = 4;

	private static final int SAMPLING_INTERVAL = 8;

	private final ValueReader delegate;

	private final SharedMessages shared;

	private final Object owner;

	private final int ownerHash;

	private final boolean repeated;

	private final @Nullable Entry[] followers = new Entry[FOLLOWERS];

	private int previousHash;

	private int score = MAX_SCORE;

	private int skipped;

	/**
	 * Create a reader.
	 * @param owner what the bytes are decoded into, the same for all readers of the same
	 * @param repeated whether all consecutive fields of the same tag are read
	 */
	SharedReader(ValueReader delegate, SharedMessages shared, Object owner, boolean repeated) {
		this.delegate = delegate;
		this.shared = shared;
		this.owner = owner;
		this.ownerHash = owner.hashCode();
		this.repeated = repeated;
	}

	@Override
	public @Nullable Object read(MessageReader reader, @Nullable Object base) {
		int tag = this.repeated ? reader.lastTag() : 0;
		if (!reader.isSharing() || (this.repeated && MessageReader.type(tag) != MessageReader.BYTES)) {
			return this.delegate.read(reader, base);
		}
		Entry expected = this.followers[this.previousHash & (FOLLOWERS - 1)];
		if (expected != null && reader.skip(expected.bytes(), tag)) {
			expected.found();
			return hit(expected);
		}
		int start = reader.position();
		int length = reader.lengthOfAll(tag);
		if (length < SharedMessages.MIN_LENGTH || length > SharedMessages.MAX_LENGTH
				|| (this.score == 0 && ++this.skipped % SAMPLING_INTERVAL != 0)) {
			return this.delegate.read(reader, base);
		}
		byte[] buffer = reader.buffer();
		int hash = this.shared.hash(this.ownerHash, buffer, start, length);
		Entry entry = this.shared.find(this.owner, hash, buffer, start, length);
		if (entry != null) {
			reader.advance(length);
			return hit(entry);
		}
		if (this.score > 0) {
			this.score--;
		}
		boolean again = this.shared.isSeenAgain(hash);
		Object value = this.delegate.read(reader, base);
		if (again && value != null) {
			follow(this.shared.add(this.owner, hash, Arrays.copyOfRange(buffer, start, start + length), value));
		}
		return value;
	}

	private Object hit(Entry entry) {
		if (this.score < MAX_SCORE) {
			this.score += HIT_SCORE;
		}
		return follow(entry);
	}

	private Object follow(Entry entry) {
		int place = this.previousHash & (FOLLOWERS - 1);
		if (this.followers[place] != entry) {
			this.followers[place] = entry;
		}
		this.previousHash = entry.hash();
		return entry.value();
	}

}
