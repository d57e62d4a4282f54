/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Immutable map: a change returns another map, which shares all nodes but those on the
 * path to the changed entry. So each map is a snapshot that can be read without a lock.
 * <p>
 * It is a hash array mapped trie with 32 branches per node, of the compact form of
 * Steindorfer and Vinju (OOPSLA 2015): a node has its entries in front and its children,
 * in reverse order, behind them, in one array without gaps. The order of the entries
 * depends on the hash codes of the keys alone, unless they are equal.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class HashTrieMap<K, V> {

	private static final int BITS = 5;

	private static final int MASK = (1 << BITS) - 1;

	private static final Node EMPTY_NODE = new Node(0, 0, new Object[0]);

	private static final HashTrieMap<?, ?> EMPTY = new HashTrieMap<>(EMPTY_NODE, 0);

	private final Node root;

	private final int size;

	private HashTrieMap(Node root, int size) {
		this.root = root;
		this.size = size;
	}

	@SuppressWarnings("unchecked")
	static <K, V> HashTrieMap<K, V> empty() {
		return (HashTrieMap<K, V>) EMPTY;
	}

	int size() {
		return this.size;
	}

	/**
	 * Return the value of a key, or {@code null}.
	 */
	@SuppressWarnings("unchecked")
	@Nullable V get(K key) {
		return (V) this.root.get(key, hash(key));
	}

	/**
	 * Return this map with a value for a key.
	 */
	HashTrieMap<K, V> with(K key, V value) {
		int hash = hash(key);
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
			Entry next = new Entry(hash(entry.getKey()), entry.getKey(), entry.getValue());
			absent += (this.root.get(next.key(), next.hash()) == null) ? 1 : 0;
			added[count++] = next;
		}
		Arrays.sort(added, Entry.BY_PATH);
		return (count == 0) ? this : new HashTrieMap<>(this.root.withAll(added, 0, count, 0), this.size + absent);
	}

	/**
	 * Return this map without a key.
	 */
	HashTrieMap<K, V> without(K key) {
		int hash = hash(key);
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
	 * Return a new list of the keys.
	 */
	List<K> keys() {
		List<K> keys = new ArrayList<>(this.size);
		forEach((key, value) -> keys.add(key));
		return keys;
	}

	/**
	 * Return a new list of the values.
	 */
	List<V> values() {
		List<V> values = new ArrayList<>(this.size);
		forEach((key, value) -> values.add(value));
		return values;
	}

	private static int hash(Object key) {
		int hash = key.hashCode();
		return hash ^ (hash >>> 16);
	}

	/**
	 * Entry to be added.
	 */
	private record Entry(int hash, Object key, Object value) {

		/**
		 * Order in which the entries of one branch are neighbours, on each level: the
		 * first level branches by the lowest bits.
		 */
		static final Comparator<Entry> BY_PATH = Comparator.comparingInt((entry) -> Integer.reverse(entry.hash()));

	}

	/**
	 * Node of the trie. A node below the last bits of the hash has no bit set, and its
	 * keys all have the same hash.
	 *
	 * @param entries a bit for each branch that ends in an entry
	 * @param children a bit for each branch that ends in a node
	 * @param slots key and value of each entry, then the children
	 */
	@SuppressWarnings("ArrayRecordComponent")
	private record Node(int entries, int children, Object[] slots) {

		@Nullable Object get(Object key, int hash) {
			Node node = this;
			for (int shift = 0; shift < Integer.SIZE; shift += BITS) {
				int branch = branch(hash, shift);
				if ((node.entries & branch) != 0) {
					int slot = node.entrySlot(branch);
					return key.equals(node.slots[slot]) ? node.slots[slot + 1] : null;
				}
				if ((node.children & branch) == 0) {
					return null;
				}
				node = (Node) node.slots[node.childSlot(branch)];
			}
			int slot = node.collidingSlot(key);
			return (slot >= 0) ? node.slots[slot + 1] : null;
		}

		Node with(Object key, Object value, int hash, int shift) {
			if (shift >= Integer.SIZE) {
				int slot = collidingSlot(key);
				return (slot >= 0) ? withSlot(slot + 1, value)
						: new Node(0, 0, insert(this.slots, this.slots.length, key, value));
			}
			int branch = branch(hash, shift);
			if ((this.children & branch) != 0) {
				int slot = childSlot(branch);
				return withSlot(slot, ((Node) this.slots[slot]).with(key, value, hash, shift + BITS));
			}
			int slot = entrySlot(branch);
			if ((this.entries & branch) == 0) {
				return new Node(this.entries | branch, this.children, insert(this.slots, slot, key, value));
			}
			Object present = this.slots[slot];
			if (key.equals(present)) {
				return withSlot(slot + 1, value);
			}
			Node child = EMPTY_NODE.with(present, this.slots[slot + 1], hash(present), shift + BITS)
				.with(key, value, hash, shift + BITS);
			Object[] others = delete(this.slots, slot, 2);
			int children = this.children | branch;
			int childSlot = others.length - Integer.bitCount(children & (branch - 1));
			return new Node(this.entries & ~branch, children, insert(others, childSlot, child));
		}

		/**
		 * Return this node with some entries, which are {@code all[from]} to
		 * {@code all[to - 1]} and belong below this node.
		 */
		Node withAll(Entry[] all, int from, int to, int shift) {
			if (to - from == 1 || shift >= Integer.SIZE) {
				Node node = this;
				for (int i = from; i < to; i++) {
					node = node.with(all[i].key(), all[i].value(), all[i].hash(), shift);
				}
				return node;
			}
			int withEntry = this.entries;
			int withChild = this.children;
			for (int start = from, end; start < to; start = end) {
				end = branchEnd(all, start, to, shift);
				int branch = branch(all[start].hash(), shift);
				boolean other = (this.entries & branch) != 0 && !all[start].key().equals(this.slots[entrySlot(branch)]);
				if ((withChild & branch) == 0 && !other && end - start == 1) {
					withEntry |= branch;
				}
				else {
					withEntry &= ~branch;
					withChild |= branch;
				}
			}
			Node filled = new Node(withEntry, withChild,
					new Object[2 * Integer.bitCount(withEntry) + Integer.bitCount(withChild)]);
			copyTo(filled);
			for (int start = from, end; start < to; start = end) {
				end = branchEnd(all, start, to, shift);
				int branch = branch(all[start].hash(), shift);
				if ((withChild & branch) != 0) {
					filled.slots[filled.childSlot(branch)] = child(branch, shift).withAll(all, start, end,
							shift + BITS);
				}
				else {
					int slot = filled.entrySlot(branch);
					filled.slots[slot] = all[start].key();
					filled.slots[slot + 1] = all[start].value();
				}
			}
			return filled;
		}

		private static int branchEnd(Entry[] all, int start, int to, int shift) {
			int branch = branch(all[start].hash(), shift);
			int end = start + 1;
			while (end < to && branch(all[end].hash(), shift) == branch) {
				end++;
			}
			return end;
		}

		/**
		 * Copy what another node, which is not used yet, has in common with this one.
		 */
		private void copyTo(Node other) {
			for (int rest = this.entries & other.entries; rest != 0; rest &= rest - 1) {
				int branch = Integer.lowestOneBit(rest);
				System.arraycopy(this.slots, entrySlot(branch), other.slots, other.entrySlot(branch), 2);
			}
			for (int rest = this.children; rest != 0; rest &= rest - 1) {
				int branch = Integer.lowestOneBit(rest);
				other.slots[other.childSlot(branch)] = this.slots[childSlot(branch)];
			}
		}

		/**
		 * Return the child at a branch, or one that takes the entry that is there.
		 */
		private Node child(int branch, int shift) {
			if ((this.children & branch) != 0) {
				return (Node) this.slots[childSlot(branch)];
			}
			if ((this.entries & branch) == 0) {
				return EMPTY_NODE;
			}
			int slot = entrySlot(branch);
			Object key = this.slots[slot];
			return EMPTY_NODE.with(key, this.slots[slot + 1], hash(key), shift + BITS);
		}

		/**
		 * Return this node without a key that it contains.
		 */
		Node without(Object key, int hash, int shift) {
			if (shift >= Integer.SIZE) {
				return new Node(0, 0, delete(this.slots, collidingSlot(key), 2));
			}
			int branch = branch(hash, shift);
			if ((this.entries & branch) != 0) {
				return new Node(this.entries & ~branch, this.children, delete(this.slots, entrySlot(branch), 2));
			}
			int slot = childSlot(branch);
			Node child = ((Node) this.slots[slot]).without(key, hash, shift + BITS);
			if (child.children != 0 || child.slots.length > 2) {
				return withSlot(slot, child);
			}
			// a child with one entry left is replaced by the entry: equal content has
			// equal nodes, so its order does not depend on the changes before
			int entries = this.entries | branch;
			int entrySlot = 2 * Integer.bitCount(entries & (branch - 1));
			Object[] others = delete(this.slots, slot, 1);
			return new Node(entries, this.children & ~branch,
					insert(others, entrySlot, child.slots[0], child.slots[1]));
		}

		void forEach(BiConsumer<Object, Object> action) {
			int firstChild = this.slots.length - Integer.bitCount(this.children);
			for (int slot = 0; slot < firstChild; slot += 2) {
				action.accept(this.slots[slot], this.slots[slot + 1]);
			}
			for (int slot = firstChild; slot < this.slots.length; slot++) {
				((Node) this.slots[slot]).forEach(action);
			}
		}

		private static int branch(int hash, int shift) {
			return 1 << ((hash >>> shift) & MASK);
		}

		private int entrySlot(int branch) {
			return 2 * Integer.bitCount(this.entries & (branch - 1));
		}

		private int childSlot(int branch) {
			return this.slots.length - 1 - Integer.bitCount(this.children & (branch - 1));
		}

		private int collidingSlot(Object key) {
			for (int slot = 0; slot < this.slots.length; slot += 2) {
				if (key.equals(this.slots[slot])) {
					return slot;
				}
			}
			return -1;
		}

		private Node withSlot(int slot, Object content) {
			Object[] changed = this.slots.clone();
			changed[slot] = content;
			return new Node(this.entries, this.children, changed);
		}

		private static Object[] insert(Object[] slots, int slot, Object... contents) {
			Object[] longer = Arrays.copyOf(slots, slots.length + contents.length);
			System.arraycopy(contents, 0, longer, slot, contents.length);
			System.arraycopy(slots, slot, longer, slot + contents.length, slots.length - slot);
			return longer;
		}

		private static Object[] delete(Object[] slots, int slot, int count) {
			Object[] shorter = Arrays.copyOf(slots, slots.length - count);
			System.arraycopy(slots, slot + count, shorter, slot, shorter.length - slot);
			return shorter;
		}

	}

}
