/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Markdown without its names of code.
 */
final class Markdown {

	private static final Pattern NAME = Pattern.compile("`[^`\\s]+`");

	/** The rows of the vocabulary, whose last column has the words that are not used. */
	private static final Pattern UNUSED_TERMS = Pattern.compile("(?m)(?<=\\|)[^|\\n]*\\|$");

	private static final String VOCABULARY = "### Vocabulary";

	/** Code, tables, headings and HTML, which may have several sentences in a line. */
	private static final Pattern NO_PROSE = Pattern.compile("(?ms)^```.*?^```$|^(?: {4}|\\t|[|#<])[^\\n]*$");

	private static final Pattern CODE = Pattern.compile("`[^`\\n]*`");

	private static final Pattern SENTENCES = Pattern.compile("(?m)(?!^)[a-z0-9)\\]`\"'][.?!] [A-Z`\\[\"][^\\n]*");

	private Markdown() {
	}

	/**
	 * Return the sentences of a page that do not begin their line.
	 */
	static List<String> furtherSentences(String page) {
		String prose = NO_PROSE.matcher(page).replaceAll("");
		return SENTENCES.matcher(CODE.matcher(prose).replaceAll("`"))
			.results()
			.map((match) -> match.group().substring(3))
			.toList();
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
