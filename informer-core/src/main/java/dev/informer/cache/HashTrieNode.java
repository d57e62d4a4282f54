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
 * @param cells key and value of each entry, then the children
 */
@SuppressWarnings("ArrayRecordComponent")
record HashTrieNode(int entries, int children, Object[] cells) {

	static final HashTrieNode EMPTY = new HashTrieNode(0, 0, new Object[0]);

	/** Offset of the key in the cells of an entry. */
	static final int KEY = 0;

	/** Offset of the value in the cells of an entry. */
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
				int cell = node.entryCell(branch);
				return key.equals(node.cells[cell]) ? node.cells[cell + 1] : null;
			}
			if ((node.children & branch) == 0) {
				return null;
			}
			node = (HashTrieNode) node.cells[node.childCell(branch)];
			bits = ((level + 1) % LEVELS == 0) ? hash(key, level + 1) : bits >>> BITS;
		}
	}

	HashTrieNode with(CharSequence key, Object value, int hash, int level) {
		int branch = branch(hash, level);
		if ((this.children & branch) != 0) {
			int cell = childCell(branch);
			HashTrieNode child = (HashTrieNode) this.cells[cell];
			return withCell(cell, child.with(key, value, below(key, hash, level), level + 1));
		}
		int cell = entryCell(branch);
		if ((this.entries & branch) == 0) {
			return new HashTrieNode(this.entries | branch, this.children, insert(this.cells, cell, key, value));
		}
		if (key.equals(this.cells[cell])) {
			return withCell(cell + 1, value);
		}
		HashTrieNode child = childOfEntry(cell, level).with(key, value, below(key, hash, level), level + 1);
		Object[] others = delete(this.cells, cell, 2);
		int children = this.children | branch;
		int childCell = others.length - Integer.bitCount(children & (branch - 1));
		return new HashTrieNode(this.entries & ~branch, children, insert(others, childCell, child));
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
			boolean other = (this.entries & branch) != 0 && !all[start].key().equals(this.cells[entryCell(branch)]);
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
				filled.cells[filled.childCell(branch)] = child(branch, level).withAll(all, start, end, level + 1);
			}
			else {
				int cell = filled.entryCell(branch);
				filled.cells[cell] = all[start].key();
				filled.cells[cell + 1] = all[start].value();
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
			System.arraycopy(this.cells, entryCell(branch), other.cells, other.entryCell(branch), 2);
		}
		for (int rest = this.children; rest != 0; rest &= rest - 1) {
			int branch = Integer.lowestOneBit(rest);
			other.cells[other.childCell(branch)] = this.cells[childCell(branch)];
		}
	}

	/**
	 * Return the child at a branch, or one that takes the entry that is there.
	 */
	private HashTrieNode child(int branch, int level) {
		if ((this.children & branch) != 0) {
			return (HashTrieNode) this.cells[childCell(branch)];
		}
		return ((this.entries & branch) != 0) ? childOfEntry(entryCell(branch), level) : EMPTY;
	}

	private HashTrieNode childOfEntry(int cell, int level) {
		CharSequence key = (CharSequence) this.cells[cell];
		return EMPTY.with(key, this.cells[cell + 1], hash(key, level + 1), level + 1);
	}

	/**
	 * Return this node without a key that it contains.
	 */
	HashTrieNode without(CharSequence key, int hash, int level) {
		int branch = branch(hash, level);
		if ((this.entries & branch) != 0) {
			return new HashTrieNode(this.entries & ~branch, this.children, delete(this.cells, entryCell(branch), 2));
		}
		int cell = childCell(branch);
		HashTrieNode child = ((HashTrieNode) this.cells[cell]).without(key, below(key, hash, level), level + 1);
		if (child.children != 0 || child.cells.length > 2) {
			return withCell(cell, child);
		}
		// a child with one entry left is replaced by the entry: equal content has
		// equal nodes, so its order does not depend on the changes before
		int entries = this.entries | branch;
		int entryCell = 2 * Integer.bitCount(entries & (branch - 1));
		Object[] others = delete(this.cells, cell, 1);
		return new HashTrieNode(entries, this.children & ~branch,
				insert(others, entryCell, child.cells[0], child.cells[1]));
	}

	void forEach(BiConsumer<Object, Object> action) {
		int firstChild = this.cells.length - Integer.bitCount(this.children);
		for (int cell = 0; cell < firstChild; cell += 2) {
			action.accept(this.cells[cell], this.cells[cell + 1]);
		}
		for (int cell = firstChild; cell < this.cells.length; cell++) {
			((HashTrieNode) this.cells[cell]).forEach(action);
		}
	}

	/**
	 * Add all keys or values to a list, in the order of {@link #forEach}. Takes half of
	 * its time, because the JIT compiler does not inline a callback in a recursion.
	 * @param part {@link #KEY} or {@link #VALUE}
	 */
	void addContents(int part, ArrayList<Object> contents) {
		int firstChild = this.cells.length - Integer.bitCount(this.children);
		for (int cell = part; cell < firstChild; cell += 2) {
			contents.add(this.cells[cell]);
		}
		for (int cell = firstChild; cell < this.cells.length; cell++) {
			((HashTrieNode) this.cells[cell]).addContents(part, contents);
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
		int firstChild = this.cells.length - Integer.bitCount(this.children);
		for (int cell = 0; cell < firstChild; cell += 2) {
			CharSequence key = (CharSequence) this.cells[cell];
			if (other.get(key, hash(key, 0)) != this.cells[cell + 1]) {
				action.accept(key, this.cells[cell + 1]);
			}
		}
		for (int rest = this.children; rest != 0; rest &= rest - 1) {
			int branch = Integer.lowestOneBit(rest);
			HashTrieNode next = ((twin.children & branch) != 0) ? (HashTrieNode) twin.cells[twin.childCell(branch)]
					: EMPTY;
			((HashTrieNode) this.cells[childCell(branch)]).forEachNotIn(other, next, action);
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

	private int entryCell(int branch) {
		return 2 * Integer.bitCount(this.entries & (branch - 1));
	}

	private int childCell(int branch) {
		return this.cells.length - 1 - Integer.bitCount(this.children & (branch - 1));
	}

	private HashTrieNode withCell(int cell, Object content) {
		Object[] changed = this.cells.clone();
		changed[cell] = content;
		return new HashTrieNode(this.entries, this.children, changed);
	}

	private static Object[] insert(Object[] cells, int cell, Object... contents) {
		Object[] longer = Arrays.copyOf(cells, cells.length + contents.length);
		System.arraycopy(contents, 0, longer, cell, contents.length);
		System.arraycopy(cells, cell, longer, cell + contents.length, cells.length - cell);
		return longer;
	}

	private static Object[] delete(Object[] cells, int cell, int count) {
		Object[] shorter = Arrays.copyOf(cells, cells.length - count);
		System.arraycopy(cells, cell + count, shorter, cell, shorter.length - cell);
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
