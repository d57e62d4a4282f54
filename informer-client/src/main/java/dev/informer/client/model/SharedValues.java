/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.util.function.Function;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Bounded cache of values by their text. Looked up by characters or bytes, so that a hit
 * allocates nothing. Each text has two slots, of which the first keeps the last one that
 * was used.
 * <p>
 * Thread-safe without locks: entries are immutable, and a lost update costs an
 * allocation. Two threads may create the value of the same text concurrently.
 *
 * @param <V> the type of the values, which are immutable
 */
public final class SharedValues<V> {

	/** About 2 MB when full of labels and names, 20 MB at most. */
	public static final SharedValues<String> STRINGS = new SharedValues<>(1 << 15, (text) -> text);

	/** Quantities. */
	public static final SharedValues<Quantity> QUANTITIES = new SharedValues<>(1 << 9, SharedValues::quantity);

	/** Strings in place of integers, such as the names of ports. */
	public static final SharedValues<IntOrString> INT_OR_STRINGS = new SharedValues<>(256, IntOrString::new);

	private final @Nullable Entry<V>[] entries;

	private final Function<String, V> factory;

	/**
	 * Create an empty cache.
	 * @param size the maximum number of values, a power of two
	 * @param factory the factory of the value of a text
	 */
	public SharedValues(int size, Function<String, V> factory) {
		this.entries = newEntries(size);
		this.factory = factory;
	}

	private static Quantity quantity(String text) {
		if (text.length() > SharedNumbers.MAX_LENGTH) {
			throw new NumberFormatException();
		}
		return Quantity.fromString(text);
	}

	/**
	 * Create an array of entries.
	 * @param size its size
	 * @param <V> the type of the values
	 * @return the array
	 */
	@SuppressWarnings("unchecked")
	public static <V> @Nullable Entry<V>[] newEntries(int size) {
		return (Entry<V>[]) new Entry<?>[size];
	}

	/**
	 * Create the value of a text without caching it.
	 * @param text the text
	 * @return the value
	 * @throws RuntimeException if the factory throws it
	 */
	public V create(String text) {
		return this.factory.apply(text);
	}

	/**
	 * Find an entry.
	 * @param text the characters
	 * @param offset the offset of the text
	 * @param length its length
	 * @param hash the hash of the text
	 * @return the entry, or {@code null}
	 */
	public @Nullable Entry<V> find(char[] text, int offset, int length, int hash) {
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
	 * Find an entry.
	 * @param text the bytes, which are ASCII
	 * @param offset the offset of the text
	 * @param length its length
	 * @param hash the hash of the text
	 * @return the entry, or {@code null}
	 */
	public @Nullable Entry<V> find(byte[] text, int offset, int length, int hash) {
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
	 * Add an entry.
	 * @param text the text
	 * @param hash its hash
	 * @return the entry
	 * @throws RuntimeException if the factory throws it
	 */
	public Entry<V> add(String text, int hash) {
		Entry<V> added = new Entry<>(hash, text, this.factory.apply(text));
		int place = place(hash);
		this.entries[place + 1] = this.entries[place];
		this.entries[place] = added;
		return added;
	}

	private int place(int hash) {
		return (hash ^ hash >>> 15) & (this.entries.length - 2);
	}

	/**
	 * Return the hash of a text.
	 * @param text the characters
	 * @param offset the offset of the text
	 * @param length its length
	 * @return the hash
	 */
	public static int hash(char[] text, int offset, int length) {
		int hash = length;
		for (int i = offset; i < offset + length; i++) {
			hash = hash * 31 + text[i];
		}
		return hash;
	}

	/**
	 * Text and its value.
	 *
	 * @param <V> the type of the value
	 * @param hash the hash of the text
	 * @param text the text
	 * @param value the value
	 */
	public record Entry<V>(int hash, String text, V value) {

		/**
		 * Return whether the text consists of these bytes, which are ASCII if it does.
		 * @param other the bytes
		 * @param offset the offset of the first one
		 * @param length their number
		 * @return whether they are equal
		 */
		public boolean matches(byte[] other, int offset, int length) {
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

		/**
		 * Return whether the text consists of these characters.
		 * @param other the characters
		 * @param offset the offset of the first one
		 * @param length their number
		 * @return whether they are equal
		 */
		public boolean matches(char[] other, int offset, int length) {
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
