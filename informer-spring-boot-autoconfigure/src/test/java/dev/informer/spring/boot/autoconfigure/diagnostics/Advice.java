/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Advice of a failure analysis or of a message, read as its reader does: the properties,
 * values and code that it contains.
 *
 * @param description the description of the failure
 * @param action the advice
 */
record Advice(String description, String action) {

	static Advice of(ApplicationContextRunner failing) {
		return of(FailureAnalyses.analyze(failing));
	}

	static Advice of(FailureAnalysis analysis) {
		return new Advice(analysis.getDescription(), Objects.requireNonNull(analysis.getAction()));
	}

	/**
	 * Return the property with its value that the advice contains.
	 * @param key the key
	 * @return the key, an equals sign and the value
	 */
	String assignment(String key) {
		return find(Pattern.quote(key) + "=[^\\s,;)]*[^\\s,;).]").group();
	}

	/**
	 * Return a key that the advice contains without a value.
	 * @param key the key
	 * @return the key
	 */
	String key(String key) {
		return find(Pattern.quote(key) + "(?![\\w=-])").group();
	}

	/**
	 * Return the text that matches the group of an expression.
	 * @param expression the expression with one group
	 * @return the text
	 */
	String text(String expression) {
		return find(expression).group(1);
	}

	/**
	 * Return the texts that match the group of an expression.
	 */
	List<String> texts(String expression) {
		List<String> texts = Pattern.compile(expression).matcher(this.action).results().map(Advice::first).toList();
		if (texts.isEmpty()) {
			throw new AssertionError("No '" + expression + "' in: " + this.action);
		}
		return texts;
	}

	private static String first(MatchResult result) {
		return result.group(1);
	}

	/**
	 * Return the name that was meant.
	 */
	String suggestion() {
		return text("(?i)did you mean '([^']+)'\\?");
	}

	/**
	 * Return the values to choose from.
	 */
	List<String> choices() {
		return List.of(text("(?i)use one of \\[([^\\]]+)]").split(", "));
	}

	/**
	 * Return the value that the advice has as an example.
	 */
	String example() {
		return text("such as ([^\\s,;)]*[^\\s,;).])");
	}

	/**
	 * Return the YAML document at the end of the advice.
	 */
	String manifest() {
		return text("(?s)\\n\\n(apiVersion: .*?)(?:\\n\\n|\\R *\\R|$)");
	}

	private Matcher find(String expression) {
		Matcher matcher = Pattern.compile(expression).matcher(this.action);
		if (!matcher.find()) {
			throw new AssertionError("No '" + expression + "' in: " + this.action);
		}
		return matcher;
	}

}
