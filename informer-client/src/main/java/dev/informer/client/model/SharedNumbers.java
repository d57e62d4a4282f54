/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

import com.google.gson.ToNumberPolicy;
import com.google.gson.stream.JsonReader;
import org.jspecify.annotations.Nullable;

/**
 * Numbers without their parsing, and a bounded cache of boxed integers that repeat, such
 * as ports, modes and periods. Each number has one slot, which keeps the last one.
 * Thread-safe without locks: boxes are immutable, and a lost update costs an allocation.
 */
public final class SharedNumbers {

	/** Maximum length of a decimal number, whose parsing takes quadratic time. */
	public static final int MAX_LENGTH = 400;

	private static final int SIZE = 1024;

	private static final @Nullable Integer[] INTEGERS = new Integer[SIZE];

	private static final @Nullable Long[] LONGS = new Long[SIZE];

	private SharedNumbers() {
	}

	/**
	 * Return the box of a number.
	 */
	public static Integer box(int value) {
		int index = value & (SIZE - 1);
		Integer box = INTEGERS[index];
		if (box == null || box != value) {
			box = value;
			INTEGERS[index] = box;
		}
		return box;
	}

	/**
	 * Return the box of a number.
	 */
	public static Long box(long value) {
		int index = (int) value & (SIZE - 1);
		Long box = LONGS[index];
		if (box == null || box != value) {
			box = value;
			LONGS[index] = box;
		}
		return box;
	}

	/**
	 * Return a number that remains its text, as {@link com.google.gson.JsonPrimitive}
	 * accepts it.
	 */
	public static Number unparsed(String number) {
		try {
			return ToNumberPolicy.LAZILY_PARSED_NUMBER.readNumber(new JsonReader(new StringReader('"' + number + '"')));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
