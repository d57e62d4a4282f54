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
 * Names of informers and handlers where they are keys of properties, and what else one
 * may have meant.
 */
public final class Names {

	private static final Pattern SIMPLE = Pattern.compile("[a-z][a-z0-9]*");

	private Names() {
	}

	/**
	 * Whether a name is written the same way in every source of properties.
	 * @param name the name
	 * @return whether it can be part of a key
	 */
	public static boolean isSimple(String name) {
		return SIMPLE.matcher(name).matches();
	}

	/**
	 * The known name that is most like another one.
	 * @param name the name that is not known
	 * @param known the known names
	 * @return the most similar one, if there is one that may have been meant
	 */
	public static Optional<String> nearest(String name, Collection<String> known) {
		int tolerated = Math.max(1, name.length() / 3);
		return known.stream()
			.filter((candidate) -> distance(name, candidate) <= tolerated)
			.min(Comparator.<String>comparingInt((candidate) -> distance(name, candidate))
				.thenComparing(Comparator.naturalOrder()));
	}

	/**
	 * How many letters have to be inserted, removed or replaced (Levenshtein).
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
