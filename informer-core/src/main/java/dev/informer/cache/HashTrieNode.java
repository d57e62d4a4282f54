/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Node of a {@link HashTrieMap}. Immutable. The hash that its methods take is that of its
 * level.
 *
 * @param entries a bit for each branch that ends in an entry
 * @param children a bit for each branch that ends in a node
 * @param slots key and value of each entry, then the children
 */
@SuppressWarnings("ArrayRecordComponent")
record HashTrieNode(int entries, int children, Object[] slots) {

	static final HashTrieNode EMPTY = new HashTrieNode(0, 0, new Object[0]);

	/** Offset of the key in the slots of an entry. */
	static final int KEY = 0;

	/** Offset of the value in the slots of an entry. */
	static final int VALUE = 1;

	private static final int BITS = 5;

	private static final int MASK = (1 << BITS) - 1;

	/** Number of levels that one hash is sufficient for. */
	private static final int LEVELS = (Integer.SIZE + BITS - 1) / BITS;

	/**
	 * Return the hash that selects the branch of a key at a level of the trie.
	 */
	static int hash(CharSequence key, int level) {
		if (level >= LEVELS) {
			return SeededHash.of(key, level / LEVELS);
		}
		int hash = key.hashCode();
		return hash ^ (hash >>> 16);
	}

	@Nullable Object get(CharSequence key, int hash) {
		HashTrieNode node = this;
		int bits = hash;
		for (int level = 0;; level++) {
			int branch = 1 << (bits & MASK);
			if ((node.entries & branch) != 0) {
				int slot = node.entrySlot(branch);
				return key.equals(node.slots[slot]) ? node.slots[slot + 1] : null;
			}
			if ((node.children & branch) == 0) {
				return null;
			}
			node = (HashTrieNode) node.slots[node.childSlot(branch)];
			bits = ((level + 1) % LEVELS == 0) ? hash(key, level + 1) : bits >>> BITS;
		}
	}

	HashTrieNode with(CharSequence key, Object value, int hash, int level) {
		int branch = branch(hash, level);
		if ((this.children & branch) != 0) {
			int slot = childSlot(branch);
			HashTrieNode child = (HashTrieNode) this.slots[slot];
			return withSlot(slot, child.with(key, value, below(key, hash, level), level + 1));
		}
		int slot = entrySlot(branch);
		if ((this.entries & branch) == 0) {
			return new HashTrieNode(this.entries | branch, this.children, insert(this.slots, slot, key, value));
		}
		if (key.equals(this.slots[slot])) {
			return withSlot(slot + 1, value);
		}
		HashTrieNode child = childOfEntry(slot, level).with(key, value, below(key, hash, level), level + 1);
		Object[] others = delete(this.slots, slot, 2);
		int children = this.children | branch;
		int childSlot = others.length - Integer.bitCount(children & (branch - 1));
		return new HashTrieNode(this.entries & ~branch, children, insert(others, childSlot, child));
	}

	/**
	 * Return this node with some entries, which are {@code all[from]} to
	 * {@code all[to - 1]} and belong below this node.
	 */
	HashTrieNode withAll(Entry[] all, int from, int to, int level) {
		if (to - from == 1 || level == LEVELS) {
			HashTrieNode node = this;
			for (int i = from; i < to; i++) {
				int hash = (level == LEVELS) ? hash(all[i].key(), level) : all[i].hash();
				node = node.with(all[i].key(), all[i].value(), hash, level);
			}
			return node;
		}
		int withEntry = this.entries;
		int withChild = this.children;
		for (int start = from, end; start < to; start = end) {
			end = branchEnd(all, start, to, level);
			int branch = branch(all[start].hash(), level);
			boolean other = (this.entries & branch) != 0 && !all[start].key().equals(this.slots[entrySlot(branch)]);
			if ((withChild & branch) == 0 && !other && end - start == 1) {
				withEntry |= branch;
			}
			else {
				withEntry &= ~branch;
				withChild |= branch;
			}
		}
		HashTrieNode filled = new HashTrieNode(withEntry, withChild,
				new Object[2 * Integer.bitCount(withEntry) + Integer.bitCount(withChild)]);
		copyTo(filled);
		for (int start = from, end; start < to; start = end) {
			end = branchEnd(all, start, to, level);
			int branch = branch(all[start].hash(), level);
			if ((withChild & branch) != 0) {
				filled.slots[filled.childSlot(branch)] = child(branch, level).withAll(all, start, end, level + 1);
			}
			else {
				int slot = filled.entrySlot(branch);
				filled.slots[slot] = all[start].key();
				filled.slots[slot + 1] = all[start].value();
			}
		}
		return filled;
	}

	private static int branchEnd(Entry[] all, int start, int to, int level) {
		int branch = branch(all[start].hash(), level);
		int end = start + 1;
		while (end < to && branch(all[end].hash(), level) == branch) {
			end++;
		}
		return end;
	}

	/**
	 * Copy what another node, which is not used yet, has in common with this one.
	 */
	private void copyTo(HashTrieNode other) {
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
	private HashTrieNode child(int branch, int level) {
		if ((this.children & branch) != 0) {
			return (HashTrieNode) this.slots[childSlot(branch)];
		}
		return ((this.entries & branch) != 0) ? childOfEntry(entrySlot(branch), level) : EMPTY;
	}

	private HashTrieNode childOfEntry(int slot, int level) {
		CharSequence key = (CharSequence) this.slots[slot];
		return EMPTY.with(key, this.slots[slot + 1], hash(key, level + 1), level + 1);
	}

	/**
	 * Return this node without a key that it contains.
	 */
	HashTrieNode without(CharSequence key, int hash, int level) {
		int branch = branch(hash, level);
		if ((this.entries & branch) != 0) {
			return new HashTrieNode(this.entries & ~branch, this.children, delete(this.slots, entrySlot(branch), 2));
		}
		int slot = childSlot(branch);
		HashTrieNode child = ((HashTrieNode) this.slots[slot]).without(key, below(key, hash, level), level + 1);
		if (child.children != 0 || child.slots.length > 2) {
			return withSlot(slot, child);
		}
		// a child with one entry left is replaced by the entry: equal content has
		// equal nodes, so its order does not depend on the changes before
		int entries = this.entries | branch;
		int entrySlot = 2 * Integer.bitCount(entries & (branch - 1));
		Object[] others = delete(this.slots, slot, 1);
		return new HashTrieNode(entries, this.children & ~branch,
				insert(others, entrySlot, child.slots[0], child.slots[1]));
	}

	void forEach(BiConsumer<Object, Object> action) {
		int firstChild = this.slots.length - Integer.bitCount(this.children);
		for (int slot = 0; slot < firstChild; slot += 2) {
			action.accept(this.slots[slot], this.slots[slot + 1]);
		}
		for (int slot = firstChild; slot < this.slots.length; slot++) {
			((HashTrieNode) this.slots[slot]).forEach(action);
		}
	}

	/**
	 * Add all keys or values to a list, in the order of {@link #forEach}. Takes half of
	 * its time, because the JIT compiler does not inline a callback in a recursion.
	 * @param part {@link #KEY} or {@link #VALUE}
	 */
	void addContents(int part, ArrayList<Object> contents) {
		int firstChild = this.slots.length - Integer.bitCount(this.children);
		for (int slot = part; slot < firstChild; slot += 2) {
			contents.add(this.slots[slot]);
		}
		for (int slot = firstChild; slot < this.slots.length; slot++) {
			((HashTrieNode) this.slots[slot]).addContents(part, contents);
		}
	}

	/**
	 * Pass the entries that another map does not have with the same value.
	 * @param twin the node of the other map at the same place, or an empty one
	 */
	void forEachNotIn(HashTrieNode other, HashTrieNode twin, BiConsumer<Object, Object> action) {
		if (this == twin) {
			return;
		}
		int firstChild = this.slots.length - Integer.bitCount(this.children);
		for (int slot = 0; slot < firstChild; slot += 2) {
			CharSequence key = (CharSequence) this.slots[slot];
			if (other.get(key, hash(key, 0)) != this.slots[slot + 1]) {
				action.accept(key, this.slots[slot + 1]);
			}
		}
		for (int rest = this.children; rest != 0; rest &= rest - 1) {
			int branch = Integer.lowestOneBit(rest);
			HashTrieNode next = ((twin.children & branch) != 0) ? (HashTrieNode) twin.slots[twin.childSlot(branch)]
					: EMPTY;
			((HashTrieNode) this.slots[childSlot(branch)]).forEachNotIn(other, next, action);
		}
	}

	private static int branch(int hash, int level) {
		return 1 << ((hash >>> (BITS * (level % LEVELS))) & MASK);
	}

	/**
	 * Return the hash of the next level.
	 */
	private static int below(CharSequence key, int hash, int level) {
		return ((level + 1) % LEVELS == 0) ? hash(key, level + 1) : hash;
	}

	private int entrySlot(int branch) {
		return 2 * Integer.bitCount(this.entries & (branch - 1));
	}

	private int childSlot(int branch) {
		return this.slots.length - 1 - Integer.bitCount(this.children & (branch - 1));
	}

	private HashTrieNode withSlot(int slot, Object content) {
		Object[] changed = this.slots.clone();
		changed[slot] = content;
		return new HashTrieNode(this.entries, this.children, changed);
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

	/**
	 * Entry to be added.
	 */
	record Entry(int hash, CharSequence key, Object value) {

		/**
		 * Order in which the entries of one branch are neighbours, on each level: the
		 * first level branches by the lowest bits.
		 */
		static final Comparator<Entry> BY_PATH = Comparator.comparingInt((entry) -> Integer.reverse(entry.hash()));

	}

}
