/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Values that come again and again, by their text: looked up by the parser's characters,
 * so that nothing is made of a text that is known. Bounded: a text has two places, where
 * the one that was needed last is kept.
 * <p>
 * Thread-safe, without any locking: an entry is immutable and is found or not found. Two
 * threads that bring the same text at once may both make a value of it.
 *
 * @param <V> the type of the values, which are immutable
 */
final class SharedValues<V> {

	private final @Nullable Entry<V>[] entries;

	private final Function<String, V> maker;

	/**
	 * Creates an empty cache.
	 * @param size how many values there may be, a power of two
	 * @param maker makes the value of a text
	 */
	SharedValues(int size, Function<String, V> maker) {
		this.entries = newEntries(size);
		this.maker = maker;
	}

	/**
	 * Makes room for entries.
	 */
	@SuppressWarnings("unchecked")
	static <V> @Nullable Entry<V>[] newEntries(int size) {
		return (Entry<V>[]) new Entry<?>[size];
	}

	/**
	 * Makes the value of a text without keeping it.
	 * @throws RuntimeException what the maker throws
	 */
	V make(String text) {
		return this.maker.apply(text);
	}

	/**
	 * Finds an entry.
	 * @param hash the text's hash
	 * @return the entry; {@code null} when it is not there
	 */
	@Nullable Entry<V> find(char[] text, int offset, int length, int hash) {
		int place = place(hash);
		Entry<V> first = this.entries[place];
		if (first != null && first.hash == hash && first.matches(text, offset, length)) {
			return first;
		}
		Entry<V> second = this.entries[place + 1];
		if (second != null && second.hash == hash && second.matches(text, offset, length)) {
			this.entries[place + 1] = first;
			this.entries[place] = second;
			return second;
		}
		return null;
	}

	/**
	 * Adds an entry.
	 * @param text the text
	 * @param hash its hash
	 * @return the entry
	 * @throws RuntimeException what the maker throws
	 */
	Entry<V> add(String text, int hash) {
		Entry<V> added = new Entry<>(hash, text, this.maker.apply(text));
		int place = place(hash);
		this.entries[place + 1] = this.entries[place];
		this.entries[place] = added;
		return added;
	}

	private int place(int hash) {
		return (hash ^ hash >>> 15) & (this.entries.length - 2);
	}

	static int hash(char[] text, int offset, int length) {
		int hash = length;
		for (int i = offset; i < offset + length; i++) {
			hash = hash * 31 + text[i];
		}
		return hash;
	}

	/**
	 * A text and what was made of it.
	 *
	 * @param <V> the type of the value
	 * @param hash the hash of the text
	 * @param text the text
	 * @param value the value
	 */
	record Entry<V>(int hash, String text, V value) {

		/**
		 * Whether it is the entry of these characters.
		 */
		boolean matches(char[] other, int offset, int length) {
			if (this.text.length() != length) {
				return false;
			}
			for (int i = 0; i < length; i++) {
				if (this.text.charAt(i) != other[offset + i]) {
					return false;
				}
			}
			return true;
		}

	}

}
