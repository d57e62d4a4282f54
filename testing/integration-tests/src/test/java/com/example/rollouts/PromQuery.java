/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Metrics, matchers and grouping labels of a PromQL query. Unsupported syntax is
 * rejected.
 * <p>
 * Prometheus' promtool checks the syntax of a query, but does not list its metrics and
 * labels, which are compared with a scrape here.
 *
 * @param selectors the metrics
 * @param labels the labels of {@code by} and similar clauses, which determine those of
 * the result
 * @param matchedLabels the labels of a condition that the other metrics must have, too
 */
record PromQuery(List<Selector> selectors, Set<String> labels, Set<String> matchedLabels) {

	private static final Pattern TOKEN = Pattern.compile(
			"\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[a-zA-Z_:][a-zA-Z0-9_:]*|\\d+(?:\\.\\d+)?|=~|!~|!=|==|>=|<=|\\[[^\\]]*\\]|[-+*/%^(){},=<>])");

	private static final Set<String> FUNCTIONS = Set.of("rate", "increase", "deriv", "max_over_time", "sum", "min",
			"max", "avg", "count", "label_values");

	private static final Set<String> OPERATORS = Set.of("and", "or", "unless");

	private static final Set<String> GROUPINGS = Set.of("by", "without", "on", "ignoring");

	static PromQuery parse(String query) {
		return new Parser(query, tokens(query)).parse();
	}

	private static List<String> tokens(String query) {
		List<String> tokens = new ArrayList<>();
		Matcher matcher = TOKEN.matcher(query.strip());
		int end = 0;
		while (matcher.find() && matcher.start() == end) {
			tokens.add(matcher.group(1));
			end = matcher.end();
		}
		if (end != query.strip().length()) {
			throw new IllegalArgumentException(
					"Cannot parse the query: unsupported syntax at character " + end + ": " + query);
		}
		return tokens;
	}

	/**
	 * Metric of a query.
	 *
	 * @param metric its name
	 * @param matchers the conditions on its series
	 * @param condition whether it excludes results, to which it adds no labels
	 * @param conditionLabels the labels of clauses in its condition, which it must have
	 */
	record Selector(String metric, List<LabelMatcher> matchers, boolean condition, Set<String> conditionLabels) {
	}

	/**
	 * Condition on a label.
	 *
	 * @param label its name
	 * @param operator the operator of the comparison
	 * @param value the value to compare with
	 */
	record LabelMatcher(String label, String operator, String value) {
	}

	private static final class Parser {

		private final List<Selector> selectors = new ArrayList<>();

		private final Set<String> labels = new TreeSet<>();

		private Set<String> conditionLabels = new TreeSet<>();

		private final Set<String> matchedLabels = new TreeSet<>();

		private final String query;

		private final List<String> tokens;

		private int position;

		private boolean condition;

		private Parser(String query, List<String> tokens) {
			this.query = query;
			this.tokens = tokens;
		}

		private PromQuery parse() {
			while (this.position < this.tokens.size()) {
				String token = next();
				if (token.equals("and") || token.equals("unless")) {
					this.condition = true;
					this.conditionLabels = new TreeSet<>();
				}
				if (GROUPINGS.contains(token)) {
					labels(token);
				}
				else if (Character.isLetter(token.charAt(0)) && !OPERATORS.contains(token)) {
					name(token);
				}
			}
			return new PromQuery(this.selectors, this.labels, this.matchedLabels);
		}

		private void name(String name) {
			if (peek("(") || FUNCTIONS.contains(name)) {
				if (!FUNCTIONS.contains(name)) {
					throw new IllegalArgumentException("Unknown function '" + name + "' in " + this.query);
				}
				if (name.equals("label_values")) {
					labelValues();
				}
				return;
			}
			this.selectors.add(new Selector(name, matchers(), this.condition, this.conditionLabels));
		}

		private void labels(String grouping) {
			expect("(");
			while (!peek(")")) {
				String label = next();
				(this.condition ? this.conditionLabels : this.labels).add(label);
				if (this.condition && grouping.equals("on")) {
					this.matchedLabels.add(label);
				}
				skip(",");
			}
			expect(")");
		}

		/**
		 * Parse Grafana's {@code label_values(metric, label)}.
		 */
		private void labelValues() {
			expect("(");
			name(next());
			expect(",");
			this.labels.add(next());
			expect(")");
		}

		private List<LabelMatcher> matchers() {
			List<LabelMatcher> matchers = new ArrayList<>();
			if (peek("{")) {
				expect("{");
				while (!peek("}")) {
					String label = next();
					String operator = next();
					String value = next();
					matchers.add(new LabelMatcher(label, operator, value.substring(1, value.length() - 1)));
					skip(",");
				}
				expect("}");
			}
			return matchers;
		}

		private boolean peek(String token) {
			return this.position < this.tokens.size() && this.tokens.get(this.position).equals(token);
		}

		private void skip(String token) {
			if (peek(token)) {
				this.position++;
			}
		}

		private void expect(String token) {
			if (!peek(token)) {
				throw new IllegalArgumentException("Expected '" + token + "' in " + this.query);
			}
			this.position++;
		}

		private String next() {
			if (this.position == this.tokens.size()) {
				throw new IllegalArgumentException("Incomplete query: " + this.query);
			}
			return this.tokens.get(this.position++);
		}

	}

}
