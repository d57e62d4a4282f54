/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import dev.informer.cache.HashTrieNode.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Immutable map: a change returns another map, which shares all nodes but those on the
 * path to the changed entry. So each map is a snapshot that can be read without a lock.
 * <p>
 * It is a hash array mapped trie with 32 branches per node, of the compact form of
 * Steindorfer and Vinju (OOPSLA 2015): a node has its entries in front and its children,
 * in reverse order, behind them, in one array without gaps. The order of the entries
 * depends on the keys alone.
 * <p>
 * Keys with the same hash code are distinguished by further hashes, see
 * {@link SeededHash}, so every operation on one entry takes logarithmic time, even if an
 * attacker chooses the keys.
 *
 * @param <K> the type of the keys, which are equal if their characters are
 */
final class HashTrieMap<K extends CharSequence, V> {

	private static final HashTrieMap<?, ?> EMPTY = new HashTrieMap<>(HashTrieNode.EMPTY, 0);

	private final HashTrieNode root;

	private final int size;

	private HashTrieMap(HashTrieNode root, int size) {
		this.root = root;
		this.size = size;
	}

	@SuppressWarnings("unchecked")
	static <K extends CharSequence, V> HashTrieMap<K, V> empty() {
		return (HashTrieMap<K, V>) EMPTY;
	}

	int size() {
		return this.size;
	}

	@SuppressWarnings("unchecked")
	@Nullable V get(K key) {
		return (V) this.root.get(key, HashTrieNode.hash(key, 0));
	}

	HashTrieMap<K, V> with(K key, V value) {
		int hash = HashTrieNode.hash(key, 0);
		boolean present = this.root.get(key, hash) != null;
		return new HashTrieMap<>(this.root.with(key, value, hash, 0), present ? this.size : this.size + 1);
	}

	/**
	 * Return this map with the entries of another one, which replace those of the same
	 * keys. Each node is copied once, even if many entries below it change.
	 */
	HashTrieMap<K, V> withAll(Map<? extends K, ? extends V> more) {
		Entry[] added = new Entry[more.size()];
		int count = 0;
		int absent = 0;
		for (Map.Entry<? extends K, ? extends V> entry : more.entrySet()) {
			K key = entry.getKey();
			Entry next = new Entry(HashTrieNode.hash(key, 0), key, entry.getValue());
			absent += (this.root.get(next.key(), next.hash()) == null) ? 1 : 0;
			added[count++] = next;
		}
		Arrays.sort(added, Entry.BY_PATH);
		return (count == 0) ? this : new HashTrieMap<>(this.root.withAll(added, 0, count, 0), this.size + absent);
	}

	HashTrieMap<K, V> without(K key) {
		int hash = HashTrieNode.hash(key, 0);
		if (this.root.get(key, hash) == null) {
			return this;
		}
		return (this.size == 1) ? empty() : new HashTrieMap<>(this.root.without(key, hash, 0), this.size - 1);
	}

	@SuppressWarnings("unchecked")
	void forEach(BiConsumer<? super K, ? super V> action) {
		this.root.forEach((BiConsumer<Object, Object>) (BiConsumer<?, ?>) action);
	}

	/**
	 * Pass the entries that another map does not have with the same value. Takes time for
	 * the differences only, if one map was derived from the other.
	 */
	@SuppressWarnings("unchecked")
	void forEachNotIn(HashTrieMap<K, V> other, BiConsumer<? super K, ? super V> action) {
		this.root.forEachNotIn(other.root, other.root, (BiConsumer<Object, Object>) (BiConsumer<?, ?>) action);
	}

	/**
	 * Return a new list of the keys.
	 */
	List<K> keys() {
		return contents(HashTrieNode.KEY);
	}

	/**
	 * Return a new list of the values.
	 */
	List<V> values() {
		return contents(HashTrieNode.VALUE);
	}

	@SuppressWarnings("unchecked")
	private <C> List<C> contents(int part) {
		ArrayList<Object> contents = new ArrayList<>(this.size);
		this.root.addContents(part, contents);
		return (List<C>) (List<?>) contents;
	}

}
