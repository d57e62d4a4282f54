/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Java source, separated into prose and code. Both keep the lines of the file.
 *
 * @param prose the comments and strings
 * @param code the rest
 */
record JavaText(String prose, String code) {

	private static final Pattern PROSE = Pattern
		.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'");

	/** Names of code in comments. */
	private static final Pattern NAME = Pattern.compile("\\{@(?:code|link|linkplain|value)\\s+[^\\s}]+|@param\\s+\\w+");

	private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z]\\w*");

	private static final Pattern WORD_START = Pattern.compile("_|(?<=[a-z0-9])(?=[A-Z])");

	static JavaText of(String source) {
		StringBuilder prose = new StringBuilder();
		StringBuilder code = new StringBuilder();
		Matcher matcher = PROSE.matcher(source);
		int end = 0;
		while (matcher.find()) {
			String before = source.substring(end, matcher.start());
			code.append(before).append(lineEnds(matcher.group()));
			prose.append(lineEnds(before)).append(' ').append(NAME.matcher(matcher.group()).replaceAll(""));
			end = matcher.end();
		}
		code.append(source.substring(end));
		return new JavaText(prose.toString(), code.toString());
	}

	private static String lineEnds(String text) {
		return text.replaceAll("[^\\n]", "");
	}

	/**
	 * Return the names in the code.
	 */
	Set<String> identifiers() {
		return IDENTIFIER.matcher(this.code).results().map((match) -> match.group()).collect(Collectors.toSet());
	}

	/**
	 * Return the code with all identifiers separated into words.
	 * @param known the identifiers to leave out
	 */
	String identifierWords(Set<String> known) {
		return IDENTIFIER.matcher(this.code)
			.replaceAll((match) -> known.contains(match.group()) ? ""
					: WORD_START.matcher(match.group()).replaceAll(" ").toLowerCase(Locale.ROOT));
	}

}
