/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.util.regex.Pattern;

/**
 * Markdown without its names of code.
 */
final class Markdown {

	private static final Pattern NAME = Pattern.compile("`[^`\\s]+`");

	/** The rows of the vocabulary, whose last column has the words that are not used. */
	private static final Pattern UNUSED_TERMS = Pattern.compile("(?m)(?<=\\|)[^|\\n]*\\|$");

	private static final String VOCABULARY = "### Vocabulary";

	private Markdown() {
	}

	/**
	 * Return the prose of a page, line by line.
	 */
	static String prose(String page) {
		int vocabulary = page.indexOf(VOCABULARY);
		if (vocabulary < 0) {
			return NAME.matcher(page).replaceAll("");
		}
		int end = page.indexOf("\n\n", page.indexOf("\n|", vocabulary));
		String terms = UNUSED_TERMS.matcher(page.substring(vocabulary, end)).replaceAll("");
		return NAME.matcher(page.substring(0, vocabulary) + terms + page.substring(end)).replaceAll("");
	}

}
