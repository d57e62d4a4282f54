/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.io.Serializable;
import java.util.AbstractCollection;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;

/**
 * List in an array of exactly its size: 16 bytes when empty, where an
 * {@link java.util.ArrayList} takes 24. Behaves like one, but a change of the size copies
 * the array. Thread-safe while it is not modified.
 *
 * @param <E> the type of the elements
 */
public final class CompactList<E> extends AbstractCollection<E> implements List<E>, RandomAccess, Serializable {

	private static final long serialVersionUID = 1L;

	private static final @Nullable Object[] EMPTY = {};

	@SuppressWarnings("serial")
	private @Nullable Object[] elements;

	/**
	 * Create an empty list.
	 */
	public CompactList() {
		this(EMPTY);
	}

	/**
	 * Create a list.
	 * @param elements the elements; the list becomes the owner of the array
	 */
	public CompactList(@Nullable Object[] elements) {
		this.elements = elements;
	}

	@Override
	public int size() {
		return this.elements.length;
	}

	@Override
	@SuppressWarnings("unchecked")
	public E get(int index) {
		return (E) this.elements[index];
	}

	@Override
	public E set(int index, E element) {
		E previous = get(index);
		this.elements[index] = element;
		return previous;
	}

	@Override
	public boolean add(E element) {
		add(this.elements.length, element);
		return true;
	}

	@Override
	public void add(int index, E element) {
		insert(index, new Object[] { element });
	}

	@Override
	public boolean addAll(Collection<? extends E> added) {
		return addAll(this.elements.length, added);
	}

	@Override
	public boolean addAll(int index, Collection<? extends E> added) {
		@Nullable Object[] inserted = added.toArray();
		insert(index, inserted);
		return inserted.length > 0;
	}

	private void insert(int index, @Nullable Object[] inserted) {
		int size = this.elements.length;
		Objects.checkIndex(index, size + 1);
		@Nullable Object[] longer = Arrays.copyOf(this.elements, size + inserted.length, Object[].class);
		System.arraycopy(longer, index, longer, index + inserted.length, size - index);
		System.arraycopy(inserted, 0, longer, index, inserted.length);
		this.elements = longer;
	}

	@Override
	public E remove(int index) {
		E removed = get(index);
		@Nullable Object[] shorter = Arrays.copyOf(this.elements, this.elements.length - 1);
		System.arraycopy(this.elements, index + 1, shorter, index, shorter.length - index);
		this.elements = shorter;
		return removed;
	}

	@Override
	public void clear() {
		this.elements = EMPTY;
	}

	@Override
	public Object[] toArray() {
		return this.elements.clone();
	}

	@Override
	public Iterator<E> iterator() {
		return new View().iterator();
	}

	@Override
	public ListIterator<E> listIterator() {
		return new View().listIterator();
	}

	@Override
	public ListIterator<E> listIterator(int index) {
		return new View().listIterator(index);
	}

	@Override
	public List<E> subList(int from, int to) {
		return new View().subList(from, to);
	}

	@Override
	public int indexOf(@Nullable Object object) {
		return Arrays.asList(this.elements).indexOf(object);
	}

	@Override
	public int lastIndexOf(@Nullable Object object) {
		return Arrays.asList(this.elements).lastIndexOf(object);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other == this || (other instanceof List<?> && Arrays.asList(this.elements).equals(other));
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.elements);
	}

	/**
	 * Fail-fast view for iterators and sublists. Not a superclass because the counter of
	 * {@link AbstractList} would take the 8 bytes that this class saves.
	 */
	private final class View extends AbstractList<E> implements RandomAccess {

		private @Nullable Object[] expected = CompactList.this.elements;

		@Override
		public int size() {
			return CompactList.this.size();
		}

		@Override
		public E get(int index) {
			check();
			return CompactList.this.get(index);
		}

		@Override
		public E set(int index, E element) {
			check();
			return CompactList.this.set(index, element);
		}

		@Override
		public void add(int index, E element) {
			check();
			CompactList.this.add(index, element);
			changed();
		}

		@Override
		public boolean addAll(int index, Collection<? extends E> added) {
			check();
			boolean changed = CompactList.this.addAll(index, added);
			changed();
			return changed;
		}

		@Override
		public E remove(int index) {
			check();
			E removed = CompactList.this.remove(index);
			changed();
			return removed;
		}

		private void check() {
			if (this.expected != CompactList.this.elements) {
				throw new ConcurrentModificationException();
			}
		}

		private void changed() {
			this.expected = CompactList.this.elements;
			this.modCount++;
		}

	}

}
