/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import org.jspecify.annotations.Nullable;

/**
 * Boxed integers that come again and again, such as ports, modes and periods. Bounded; a
 * number has one place, where the one that was needed last is kept. Thread-safe: a box is
 * immutable and is found or not found.
 */
final class SharedNumbers {

	private static final int SIZE = 1024;

	private static final @Nullable Integer[] INTEGERS = new Integer[SIZE];

	private static final @Nullable Long[] LONGS = new Long[SIZE];

	private SharedNumbers() {
	}

	static Integer box(int value) {
		int index = value & (SIZE - 1);
		Integer box = INTEGERS[index];
		if (box == null || box != value) {
			box = value;
			INTEGERS[index] = box;
		}
		return box;
	}

	static Long box(long value) {
		int index = (int) value & (SIZE - 1);
		Long box = LONGS[index];
		if (box == null || box != value) {
			box = value;
			LONGS[index] = box;
		}
		return box;
	}

}
