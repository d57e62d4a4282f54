/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.informer.spring.InvalidInformerPropertyException;

/**
 * Names of informers and IDs of handlers and reconcilers in the keys of properties, and
 * suggestions for misspelt ones.
 */
public final class Names {

	private static final Pattern SIMPLE = Pattern.compile("[a-z][a-z0-9]*");

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]+");

	/** Names that need no brackets in a key. */
	private static final Pattern KEY = Pattern.compile("[a-z0-9-]+");

	private Names() {
	}

	/**
	 * Return whether a name has the same form in all sources of properties, so that it
	 * can be part of a key.
	 */
	public static boolean isSimple(String name) {
		return SIMPLE.matcher(name).matches();
	}

	/**
	 * Return whether an ID can be a part of a key, in brackets if need be.
	 */
	static boolean isId(String id) {
		return ID.matcher(id).matches();
	}

	/**
	 * Return the key below which the properties of a handler are, without a dot at the
	 * end. Default IDs contain a dot and are in brackets.
	 */
	public static String handlerKey(String id) {
		return key("informer.handlers", id);
	}

	/**
	 * Return the key below which the properties of a reconciler are, without a dot at the
	 * end.
	 */
	static String reconcilerKey(String id) {
		return key("informer.reconcilers", id);
	}

	/**
	 * Check that a handler that properties name exists.
	 */
	static void checkHandler(String id, Collection<String> known) {
		check("handler", "@InformerHandler", "informer.handlers", id, known);
	}

	/**
	 * Check that a reconciler that properties name exists.
	 */
	static void checkReconciler(String id, Collection<String> known) {
		check("reconciler", "@InformerReconciler", "informer.reconcilers", id, known);
	}

	private static void check(String kind, String annotation, String parent, String id, Collection<String> known) {
		if (!known.contains(id)) {
			throw new InvalidInformerPropertyException(key(parent, id),
					"no " + kind + " has the ID '" + id + "'; the IDs are " + (known.isEmpty() ? "none" : known),
					suggest(id, known) + "Give the method an ID of lowercase letters and digits, " + annotation
							+ "(id = \"audit\"), and use it in the key, " + parent + ".audit. Put any "
							+ "other ID into brackets, such as a default one: " + parent + "[bean.method].");
		}
	}

	private static String key(String prefix, String id) {
		return prefix + (KEY.matcher(id).matches() ? "." + id : "[" + id + "]");
	}

	/**
	 * Find the known name that is nearest to an unknown one, within a third of the length
	 * of the unknown one.
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
	 * Return the number of letters that are missing, added, replaced or swapped with
	 * their neighbours. In the other name, {@code *} is any text of letters and digits.
	 */
	public static int distance(String name, String other) {
		int[][] distance = new int[other.length() + 1][name.length() + 1];
		for (int i = 0; i <= other.length(); i++) {
			for (int j = 0; j <= name.length(); j++) {
				if (i == 0 || j == 0) {
					distance[i][j] = i + j;
					continue;
				}
				char known = other.charAt(i - 1);
				char given = name.charAt(j - 1);
				boolean any = known == '*' && given != '_';
				int least = distance[i - 1][j - 1] + ((known == given || any) ? 0 : 1);
				least = Math.min(least, 1 + distance[i - 1][j]);
				least = Math.min(least, (any ? 0 : 1) + distance[i][j - 1]);
				if (i > 1 && j > 1 && known == name.charAt(j - 2) && given == other.charAt(i - 2)) {
					least = Math.min(least, 1 + distance[i - 2][j - 2]);
				}
				distance[i][j] = least;
			}
		}
		return distance[other.length()][name.length()];
	}

}
