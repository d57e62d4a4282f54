/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import dev.informer.client.model.SharedValues.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of the values of one property in {@link SharedValues}.
 * <p>
 * Consecutive objects have nearly the same values. A decoder therefore first compares the
 * text with the {@link #expected() entry} that followed the previous value the last time,
 * and makes a string only if it differs. The lookup also tracks the recent hit rate of
 * the property: while values do not repeat, only one of eight texts is looked up, because
 * a long cycle does not look like a repetition at first.
 * <p>
 * Thread-safe without locks: entries are immutable, and lost updates of the other fields
 * cost a lookup.
 */
public final class ValueLookup<V> {

	/** Maximum length of a text that is looked up. */
	private static final int MAX_LENGTH = 256;

	private static final int FOLLOWERS = 8;

	private static final int MAX_SCORE = 64;

	private static final int HIT_SCORE = 4;

	private static final int SAMPLING_INTERVAL = 8;

	private final SharedValues<V> values;

	private final @Nullable Entry<V>[] followers = SharedValues.newEntries(FOLLOWERS);

	private int previousHash;

	private int score = MAX_SCORE;

	private int skipped;

	/**
	 * Create a lookup.
	 */
	public ValueLookup(SharedValues<V> values) {
		this.values = values;
	}

	/**
	 * Return the entry that the next text is likely to match, or {@code null}.
	 */
	public @Nullable Entry<V> expected() {
		return this.followers[this.previousHash & (FOLLOWERS - 1)];
	}

	/**
	 * Return the value of a text, which is added if it is new and not too long, unless
	 * values do not repeat.
	 * @throws RuntimeException if the factory of the values throws it
	 */
	public V find(String text) {
		if (text.length() > MAX_LENGTH || (this.score == 0 && ++this.skipped % SAMPLING_INTERVAL != 0)) {
			return this.values.create(text);
		}
		Entry<V> found = this.values.find(text);
		if (found != null) {
			return hit(found);
		}
		if (this.score > 0) {
			this.score--;
		}
		return follow(this.values.add(text));
	}

	/**
	 * Record that the text matches an entry, and return its value.
	 */
	public V hit(Entry<V> entry) {
		if (this.score < MAX_SCORE) {
			this.score += HIT_SCORE;
		}
		return follow(entry);
	}

	private V follow(Entry<V> entry) {
		int place = this.previousHash & (FOLLOWERS - 1);
		if (this.followers[place] != entry) {
			this.followers[place] = entry;
		}
		this.previousHash = entry.text().hashCode();
		return entry.value();
	}

}
