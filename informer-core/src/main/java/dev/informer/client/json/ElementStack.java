/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the elements of the lists and maps that are being read until it is known how many
 * they are. Used by one thread.
 */
final class ElementStack {

	private static final @Nullable Object[] NOTHING = {};

	private @Nullable Object[] elements = new Object[64];

	private int size;

	/**
	 * How many elements there are, those of the collections around included.
	 */
	int size() {
		return this.size;
	}

	@Nullable Object get(int index) {
		return this.elements[index];
	}

	void set(int index, @Nullable Object element) {
		this.elements[index] = element;
	}

	void push(@Nullable Object element) {
		if (this.size == this.elements.length) {
			this.elements = Arrays.copyOf(this.elements, this.size * 2);
		}
		this.elements[this.size++] = element;
	}

	/**
	 * Takes away what was pushed since there were fewer.
	 */
	@Nullable Object[] popDownTo(int lower) {
		if (lower == this.size) {
			return NOTHING;
		}
		@Nullable Object[] popped = Arrays.copyOfRange(this.elements, lower, this.size);
		Arrays.fill(this.elements, lower, this.size, null);
		this.size = lower;
		return popped;
	}

	/**
	 * Forgets everything, after a failure.
	 */
	void clear() {
		popDownTo(0);
	}

}
