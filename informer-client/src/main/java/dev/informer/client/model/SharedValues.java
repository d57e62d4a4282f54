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
 * Bounded cache of immutable values by their text. Each text has two slots, of which the
 * first keeps the last one that was used.
 * <p>
 * Thread-safe without locks: entries are immutable, and a lost update costs an
 * allocation. Two threads may create the value of the same text concurrently.
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
	 * Create an empty cache. Its size is the maximum number of values, a power of two.
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
	 */
	@SuppressWarnings("unchecked")
	static <V> @Nullable Entry<V>[] newEntries(int size) {
		return (Entry<V>[]) new Entry<?>[size];
	}

	/**
	 * Create the value of a text without caching it.
	 * @throws RuntimeException if the factory throws it
	 */
	V create(String text) {
		return this.factory.apply(text);
	}

	/**
	 * Find the entry of a text; {@code null} if there is none.
	 */
	@Nullable Entry<V> find(String text) {
		int place = place(text);
		Entry<V> first = this.entries[place];
		if (first != null && first.text.equals(text)) {
			return first;
		}
		Entry<V> second = this.entries[place + 1];
		if (second != null && second.text.equals(text)) {
			this.entries[place + 1] = first;
			this.entries[place] = second;
			return second;
		}
		return null;
	}

	/**
	 * Add an entry.
	 * @throws RuntimeException if the factory throws it
	 */
	Entry<V> add(String text) {
		Entry<V> added = new Entry<>(text, this.factory.apply(text));
		int place = place(text);
		this.entries[place + 1] = this.entries[place];
		this.entries[place] = added;
		return added;
	}

	private int place(String text) {
		int hash = text.hashCode();
		return (hash ^ hash >>> 15) & (this.entries.length - 2);
	}

	/**
	 * Text and its value.
	 */
	public record Entry<V>(String text, V value) {

		/**
		 * Return whether the text consists of these bytes, which are ASCII if it does.
		 */
		public boolean matches(byte[] other, int offset, int length) {
			return matches(this.text, other, offset, length);
		}

		/**
		 * Return whether a text consists of these bytes, which are ASCII if it does.
		 */
		public static boolean matches(String text, byte[] other, int offset, int length) {
			if (text.length() != length) {
				return false;
			}
			for (int i = 0; i < length; i++) {
				if (text.charAt(i) != other[offset + i]) {
					return false;
				}
			}
			return true;
		}

		/**
		 * Return whether the text consists of these characters.
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
