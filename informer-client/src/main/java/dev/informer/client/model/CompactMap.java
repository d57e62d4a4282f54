/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Map in one array of alternating keys and values, in insertion order: 16 bytes when
 * empty. Behaves like a {@link java.util.LinkedHashMap}. Intended for few keys and few
 * changes: a lookup scans the keys, and a change of the size copies the array.
 * Thread-safe while it is not modified.
 */
public final class CompactMap<K, V> implements Map<K, V>, Serializable {

	private static final long serialVersionUID = 1L;

	private static final int MAX_COMPACT_SIZE = 16;

	private static final @Nullable Object[] EMPTY = {};

	@SuppressWarnings("serial")
	private @Nullable Object[] table;

	/**
	 * Create an empty map.
	 */
	public CompactMap() {
		this(EMPTY);
	}

	/**
	 * Create a map of alternating keys and values, which becomes the owner of the array.
	 */
	CompactMap(@Nullable Object[] table) {
		this.table = table;
	}

	/**
	 * Return a map of alternating keys and values, which is compact unless it is large.
	 * It becomes the owner of the array, and the last value of a repeated key wins.
	 */
	public static Map<String, @Nullable Object> of(@Nullable Object[] table) {
		if (table.length <= 2 * MAX_COMPACT_SIZE && !hasRepeatedKey(table)) {
			return new CompactMap<>(table);
		}
		Map<String, @Nullable Object> map = new LinkedHashMap<>(table.length * 2 / 3 + 1);
		for (int i = 0; i < table.length; i += 2) {
			map.put(String.valueOf(table[i]), table[i + 1]);
		}
		return map;
	}

	private static boolean hasRepeatedKey(@Nullable Object[] table) {
		for (int i = 2; i < table.length; i += 2) {
			for (int j = 0; j < i; j += 2) {
				if (Objects.equals(table[i], table[j])) {
					return true;
				}
			}
		}
		return false;
	}

	@Override
	public int size() {
		return this.table.length / 2;
	}

	@Override
	public boolean isEmpty() {
		return this.table.length == 0;
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return indexOf(key) >= 0;
	}

	@Override
	public boolean containsValue(@Nullable Object value) {
		return new View().containsValue(value);
	}

	@Override
	public @Nullable V get(@Nullable Object key) {
		int index = indexOf(key);
		return (index >= 0) ? value(index) : null;
	}

	@Override
	public @Nullable V put(K key, V value) {
		int index = indexOf(key);
		if (index >= 0) {
			V previous = value(index);
			this.table[index + 1] = value;
			return previous;
		}
		int length = this.table.length;
		this.table = Arrays.copyOf(this.table, length + 2);
		this.table[length] = key;
		this.table[length + 1] = value;
		return null;
	}

	@Override
	public void putAll(Map<? extends K, ? extends V> entries) {
		entries.forEach(this::put);
	}

	@Override
	public @Nullable V remove(@Nullable Object key) {
		int index = indexOf(key);
		if (index < 0) {
			return null;
		}
		V removed = value(index);
		removeAt(index);
		return removed;
	}

	@Override
	public void clear() {
		this.table = EMPTY;
	}

	@Override
	public Set<K> keySet() {
		return new View().keySet();
	}

	@Override
	public Collection<V> values() {
		return new View().values();
	}

	@Override
	public Set<Map.Entry<K, V>> entrySet() {
		return new Entries();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		if (!(other instanceof CompactMap<?, ?> map)) {
			return new View().equals(other);
		}
		boolean equal = map.table.length == this.table.length;
		for (int i = 0; i < this.table.length && equal; i += 2) {
			int index = map.indexOf(this.table[i]);
			equal = index >= 0 && Objects.equals(this.table[i + 1], map.table[index + 1]);
		}
		return equal;
	}

	@Override
	public int hashCode() {
		return new View().hashCode();
	}

	@Override
	public String toString() {
		return new View().toString();
	}

	private int indexOf(@Nullable Object key) {
		for (int i = 0; i < this.table.length; i += 2) {
			if (Objects.equals(key, this.table[i])) {
				return i;
			}
		}
		return -1;
	}

	@SuppressWarnings("unchecked")
	private K key(int index) {
		return (K) this.table[index];
	}

	@SuppressWarnings("unchecked")
	private V value(int index) {
		return (V) this.table[index + 1];
	}

	private void removeAt(int index) {
		@Nullable Object[] shorter = Arrays.copyOf(this.table, this.table.length - 2);
		System.arraycopy(this.table, index + 2, shorter, index, shorter.length - index);
		this.table = shorter;
	}

	/**
	 * View with the other methods of a map. Not a superclass because the fields of
	 * {@link AbstractMap} would take 8 bytes.
	 */
	private final class View extends AbstractMap<K, V> {

		@Override
		public boolean containsKey(@Nullable Object key) {
			return CompactMap.this.containsKey(key);
		}

		@Override
		public Set<Map.Entry<K, V>> entrySet() {
			return new Entries();
		}

	}

	/**
	 * View of the entries.
	 */
	private final class Entries extends AbstractSet<Map.Entry<K, V>> {

		@Override
		public int size() {
			return CompactMap.this.size();
		}

		@Override
		public Iterator<Map.Entry<K, V>> iterator() {
			return new EntryIterator();
		}

		@Override
		public void clear() {
			CompactMap.this.clear();
		}

	}

	/**
	 * Fail-fast iterator over the entries.
	 */
	private final class EntryIterator implements Iterator<Map.Entry<K, V>> {

		private @Nullable Object[] expected = CompactMap.this.table;

		private int next;

		private boolean removable;

		@Override
		public boolean hasNext() {
			return this.next < this.expected.length;
		}

		@Override
		public Map.Entry<K, V> next() {
			check();
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			this.removable = true;
			this.next += 2;
			return new LiveEntry(this.next - 2);
		}

		@Override
		public void remove() {
			if (!this.removable) {
				throw new IllegalStateException();
			}
			check();
			this.next -= 2;
			removeAt(this.next);
			this.expected = CompactMap.this.table;
			this.removable = false;
		}

		private void check() {
			if (this.expected != CompactMap.this.table) {
				throw new ConcurrentModificationException();
			}
		}

	}

	/**
	 * Entry that shows and sets the value in the map until its key is removed.
	 */
	private final class LiveEntry implements Map.Entry<K, V> {

		private final K key;

		private V value;

		LiveEntry(int index) {
			this.key = key(index);
			this.value = value(index);
		}

		@Override
		public K getKey() {
			return this.key;
		}

		@Override
		public V getValue() {
			int index = indexOf(this.key);
			if (index >= 0 && key(index) == this.key) {
				this.value = value(index);
			}
			return this.value;
		}

		@Override
		public V setValue(V value) {
			V previous = getValue();
			int index = indexOf(this.key);
			if (index >= 0 && key(index) == this.key) {
				CompactMap.this.table[index + 1] = value;
			}
			this.value = value;
			return previous;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Map.Entry<?, ?> entry && Objects.equals(this.key, entry.getKey())
					&& Objects.equals(getValue(), entry.getValue());
		}

		@Override
		public int hashCode() {
			return Objects.hashCode(this.key) ^ Objects.hashCode(getValue());
		}

		@Override
		public String toString() {
			return this.key + "=" + getValue();
		}

	}

}
