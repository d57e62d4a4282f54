/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words that the project does not use, with their replacements. {@code vocabulary.tsv}
 * has a line for each: a regular expression, the replacement, and optionally a regular
 * expression of the contexts in which the word is correct.
 */
final class Vocabulary {

	static final String WORDS = "vocabulary.tsv";

	/** Between the words of a phrase: blanks, and line ends within a comment. */
	private static final String SPACE = "[\\s*]+";

	private final List<Word> words;

	private Vocabulary(List<Word> words) {
		this.words = words;
	}

	static Vocabulary load() {
		return new Vocabulary(lines(WORDS).stream().map(Word::of).toList());
	}

	/**
	 * Return the lines of a resource that are not empty and no comments.
	 */
	private static List<String> lines(String resource) {
		try (InputStream content = Vocabulary.class.getResourceAsStream(resource)) {
			if (content == null) {
				throw new IllegalStateException("Missing resource " + resource);
			}
			return new String(content.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("#"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Search a text for all words.
	 * @param file the name of its file
	 * @param text the text, with the line numbers of the file
	 * @return a message for each finding
	 */
	List<String> search(String file, String text) {
		List<String> findings = new ArrayList<>();
		for (Word word : this.words) {
			Matcher matcher = word.pattern().matcher(text);
			while (matcher.find()) {
				if (!word.isAllowed(text, matcher)) {
					long line = 1 + text.substring(0, matcher.start()).chars().filter((c) -> c == '\n').count();
					findings.add("%s:%d: '%s', use: %s".formatted(file, line,
							matcher.group().replaceAll("[\\s*]+", " "), word.replacement()));
				}
			}
		}
		return findings;
	}

	private record Word(Pattern pattern, String replacement, Pattern allowed) {

		/** Characters before and after a word that belong to its context. */
		private static final int CONTEXT = 24;

		/** Matches nothing. */
		private static final String NEVER = "(?!)";

		static Word of(String line) {
			String[] columns = line.split("\t");
			return new Word(pattern("(?<![\\w-])(?:" + columns[0].replace(" ", SPACE) + ")(?![\\w-])"), columns[1],
					pattern((columns.length > 2) ? columns[2].replace(" ", "\\s+") : NEVER));
		}

		private static Pattern pattern(String expression) {
			return Pattern.compile(expression, Pattern.CASE_INSENSITIVE);
		}

		boolean isAllowed(String text, Matcher match) {
			Matcher context = this.allowed.matcher(text)
				.region(Math.max(0, match.start() - CONTEXT), Math.min(text.length(), match.end() + CONTEXT));
			while (context.find()) {
				if (context.start() <= match.start() && context.end() >= match.end()) {
					return true;
				}
			}
			return false;
		}

	}

}
