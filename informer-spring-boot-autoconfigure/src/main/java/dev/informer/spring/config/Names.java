/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of informers and IDs of handlers in the keys of properties, and suggestions for
 * misspelt ones.
 */
public final class Names {

	private static final Pattern SIMPLE = Pattern.compile("[a-z][a-z0-9]*");

	private Names() {
	}

	/**
	 * Return whether a name has the same form in all sources of properties.
	 * @param name the name
	 * @return whether it can be part of a key
	 */
	public static boolean isSimple(String name) {
		return SIMPLE.matcher(name).matches();
	}

	/**
	 * Find the known name that is most similar to an unknown one.
	 * @param name the unknown name
	 * @param known the known names
	 * @return the nearest name within a third of its length
	 */
	public static Optional<String> nearest(String name, Collection<String> known) {
		int tolerated = Math.max(1, name.length() / 3);
		return known.stream()
			.filter((candidate) -> distance(name, candidate) <= tolerated)
			.min(Comparator.<String>comparingInt((candidate) -> distance(name, candidate))
				.thenComparing(Comparator.naturalOrder()));
	}

	/**
	 * Return a question that suggests the nearest name, with a trailing space; empty if
	 * there is none.
	 */
	static String suggest(String name, Collection<String> known) {
		return nearest(name, known).map((nearest) -> "Did you mean '" + nearest + "'? ").orElse("");
	}

	/**
	 * Return the Levenshtein distance of two names.
	 */
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = diagonal + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[other.length()];
	}

}
