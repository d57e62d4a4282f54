/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Stack of the elements of the lists and maps that are being read, whose sizes are not
 * known yet. Used by one thread.
 */
public final class ElementStack {

	private static final @Nullable Object[] EMPTY = {};

	private @Nullable Object[] elements = new Object[64];

	private int size;

	/**
	 * Return the number of elements, including those of enclosing collections.
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Add an element.
	 */
	public void push(@Nullable Object element) {
		if (this.size == this.elements.length) {
			this.elements = Arrays.copyOf(this.elements, this.size * 2);
		}
		this.elements[this.size++] = element;
	}

	/**
	 * Remove and return the elements above a size.
	 */
	public @Nullable Object[] popDownTo(int lower) {
		if (lower == this.size) {
			return EMPTY;
		}
		@Nullable Object[] popped = Arrays.copyOfRange(this.elements, lower, this.size);
		Arrays.fill(this.elements, lower, this.size, null);
		this.size = lower;
		return popped;
	}

	/**
	 * Remove all elements, after a failure.
	 */
	public void clear() {
		popDownTo(0);
	}

}
