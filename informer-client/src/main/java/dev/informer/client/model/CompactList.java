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
 * List in an array of exactly its size, or of one element without an array. A list of at
 * most one element takes 16 bytes; an {@link java.util.ArrayList} takes 24 without its
 * array. Behaves like one, but a change of the size copies the array. Thread-safe while
 * it is not modified.
 */
public final class CompactList<E> extends AbstractCollection<E> implements List<E>, RandomAccess, Serializable {

	private static final long serialVersionUID = 1L;

	private static final @Nullable Object[] EMPTY = {};

	/** An array of the elements, or the only element, which is no array. */
	@SuppressWarnings("serial")
	private Object content;

	/**
	 * Create an empty list.
	 */
	public CompactList() {
		this.content = EMPTY;
	}

	/**
	 * Create a list, which becomes the owner of the array.
	 */
	public CompactList(@Nullable Object[] elements) {
		this.content = compact(elements);
	}

	private static Object compact(@Nullable Object[] elements) {
		Object only = (elements.length == 1) ? elements[0] : null;
		return (only != null && !(only instanceof Object[])) ? only : elements;
	}

	/**
	 * Return the elements, in an array of the list unless there is only one.
	 */
	private @Nullable Object[] elements() {
		return (this.content instanceof Object[] elements) ? elements : new Object[] { this.content };
	}

	@Override
	public int size() {
		return (this.content instanceof Object[] elements) ? elements.length : 1;
	}

	@Override
	@SuppressWarnings("unchecked")
	public E get(int index) {
		if (this.content instanceof Object[] elements) {
			return (E) elements[index];
		}
		Objects.checkIndex(index, 1);
		return (E) this.content;
	}

	@Override
	public E set(int index, E element) {
		E previous = get(index);
		if (this.content instanceof Object[] elements) {
			elements[index] = element;
		}
		else {
			this.content = compact(new Object[] { element });
		}
		return previous;
	}

	@Override
	public boolean add(E element) {
		add(size(), element);
		return true;
	}

	@Override
	public void add(int index, E element) {
		insert(index, new Object[] { element });
	}

	@Override
	public boolean addAll(Collection<? extends E> added) {
		return addAll(size(), added);
	}

	@Override
	public boolean addAll(int index, Collection<? extends E> added) {
		@Nullable Object[] inserted = added.toArray();
		insert(index, inserted);
		return inserted.length > 0;
	}

	private void insert(int index, @Nullable Object[] inserted) {
		@Nullable Object[] elements = elements();
		int size = elements.length;
		Objects.checkIndex(index, size + 1);
		@Nullable Object[] longer = Arrays.copyOf(elements, size + inserted.length, Object[].class);
		System.arraycopy(longer, index, longer, index + inserted.length, size - index);
		System.arraycopy(inserted, 0, longer, index, inserted.length);
		this.content = compact(longer);
	}

	@Override
	public E remove(int index) {
		E removed = get(index);
		@Nullable Object[] elements = elements();
		@Nullable Object[] shorter = Arrays.copyOf(elements, elements.length - 1);
		System.arraycopy(elements, index + 1, shorter, index, shorter.length - index);
		this.content = compact(shorter);
		return removed;
	}

	@Override
	public void clear() {
		this.content = EMPTY;
	}

	@Override
	public Object[] toArray() {
		return elements().clone();
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
		return Arrays.asList(elements()).indexOf(object);
	}

	@Override
	public int lastIndexOf(@Nullable Object object) {
		return Arrays.asList(elements()).lastIndexOf(object);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		if (!(other instanceof CompactList<?> list)) {
			return other instanceof List<?> && Arrays.asList(elements()).equals(other);
		}
		int size = size();
		boolean equal = list.size() == size;
		for (int i = 0; i < size && equal; i++) {
			equal = Objects.equals(get(i), list.get(i));
		}
		return equal;
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(elements());
	}

	/**
	 * Fail-fast view for iterators and sublists. Not a superclass because the counter of
	 * {@link AbstractList} would take the 8 bytes that this class saves.
	 */
	private final class View extends AbstractList<E> implements RandomAccess {

		private Object expected = CompactList.this.content;

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
			E previous = CompactList.this.set(index, element);
			this.expected = CompactList.this.content;
			return previous;
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
			Object current = CompactList.this.content;
			// an only element may have been replaced, which does not change the size
			if (current != this.expected && (current instanceof Object[] || this.expected instanceof Object[])) {
				throw new ConcurrentModificationException();
			}
		}

		private void changed() {
			this.expected = CompactList.this.content;
			this.modCount++;
		}

	}

}
