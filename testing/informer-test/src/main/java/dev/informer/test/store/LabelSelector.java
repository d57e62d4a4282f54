/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import dev.informer.test.KubernetesStatusException;

/**
 * Parser for equality-based and set-based label selectors, with the real server's error
 * texts.
 */
final class LabelSelector {

	private static final String SPECIAL = "=!(),<>";

	private static final String END = "";

	private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");

	private static final String NAME_RULE = "name part must consist of alphanumeric characters, '-', '_' or '.', "
			+ "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', "
			+ "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

	private static final String VALUE_RULE = "a valid label must be an empty string or consist of alphanumeric "
			+ "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  "
			+ "or 'my_value',  or '12345', regex used for validation is "
			+ "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

	private final List<String> tokens;

	private int position;

	private LabelSelector(List<String> tokens) {
		this.tokens = tokens;
	}

	static Selector parse(String text) {
		return new LabelSelector(tokens(text)).parse();
	}

	private Selector parse() {
		Selector selector = Selector.EVERYTHING;
		while (!peek().equals(END)) {
			if (!isIdentifier(peek()) && !peek().equals("!")) {
				throw StatusErrors.badRequest("found '" + peek() + "', expected: !, identifier, or 'end of string'");
			}
			selector = selector.and(requirement());
			String separator = next();
			if (separator.equals(",")) {
				if (!isIdentifier(peek()) && !peek().equals("!")) {
					throw StatusErrors.badRequest("found '" + peek() + "', expected: identifier after ','");
				}
			}
			else if (!separator.equals(END)) {
				throw StatusErrors.badRequest("found '" + separator + "', expected: ',' or 'end of string'");
			}
		}
		return selector;
	}

	private Selector requirement() {
		boolean absent = peek().equals("!");
		if (absent) {
			next();
		}
		String key = next();
		if (!isIdentifier(key)) {
			throw malformed("found '" + key + "', expected: identifier");
		}
		checkKey(key);
		if (absent) {
			return (object) -> !object.labels().containsKey(key);
		}
		if (peek().equals(END) || peek().equals(",")) {
			return (object) -> object.labels().containsKey(key);
		}
		return comparison(key, next());
	}

	private Selector comparison(String key, String operator) {
		return switch (operator) {
			case "=", "==" -> in(key, Set.of(exactValue(key)));
			case "!=" -> notIn(key, Set.of(exactValue(key)));
			case "in" -> in(key, values(key));
			case "notin" -> notIn(key, values(key));
			case ">", "<" -> compared(key, operator, exactValue(key));
			default -> throw malformed("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
		};
	}

	private String exactValue(String key) {
		if (peek().equals(END) || peek().equals(",")) {
			return "";
		}
		String value = next();
		if (!isIdentifier(value)) {
			throw malformed("found '" + value + "', expected: identifier");
		}
		checkValue(key, value, 0);
		return value;
	}

	private Set<String> values(String key) {
		String opening = next();
		if (!opening.equals("(")) {
			throw malformed("found '" + opening + "' expected: '('");
		}
		Set<String> values = new HashSet<>();
		String last = "";
		while (true) {
			String token = next();
			if (isIdentifier(token)) {
				last = token;
				checkValue(key, last, values.size());
				token = next();
				if (!token.equals(",") && !token.equals(")")) {
					throw malformed("found '" + token + "', expected: ',' or ')'");
				}
			}
			else if (!token.equals(",") && !token.equals(")")) {
				throw malformed("found '" + token + "', expected: ',', ')' or identifier");
			}
			values.add(last);
			last = "";
			if (token.equals(")")) {
				return values;
			}
		}
	}

	private static Selector in(String key, Set<String> values) {
		return (object) -> {
			String value = object.labels().get(key);
			return value != null && values.contains(value);
		};
	}

	private static Selector notIn(String key, Set<String> values) {
		return (object) -> {
			String value = object.labels().get(key);
			return value == null || !values.contains(value);
		};
	}

	private static Selector compared(String key, String operator, String limit) {
		long bound;
		try {
			bound = Long.parseLong(limit);
		}
		catch (NumberFormatException ex) {
			throw malformed("values[0][" + key + "]: Invalid value: " + StatusErrors.quoted(limit)
					+ ": for 'Gt', 'Lt' operators, the value must be an integer");
		}
		return (object) -> {
			String value = object.labels().getOrDefault(key, "");
			if (!value.matches("-?[0-9]{1,18}")) {
				return false;
			}
			return operator.equals(">") ? Long.parseLong(value) > bound : Long.parseLong(value) < bound;
		};
	}

	private static void checkKey(String key) {
		String name = key.substring(key.indexOf('/') + 1);
		if (name.length() > 63 || !NAME.matcher(name).matches()) {
			throw malformed("<nil>: Invalid value: " + StatusErrors.quoted(key) + ": " + NAME_RULE);
		}
	}

	private static void checkValue(String key, String value, int index) {
		if (value.length() > 63 || !NAME.matcher(value).matches()) {
			throw malformed("values[" + index + "][" + key + "]: Invalid value: " + StatusErrors.quoted(value) + ": "
					+ VALUE_RULE);
		}
	}

	private static KubernetesStatusException malformed(String message) {
		return StatusErrors.badRequest("unable to parse requirement: " + message);
	}

	private String peek() {
		return (this.position < this.tokens.size()) ? this.tokens.get(this.position) : END;
	}

	private String next() {
		String token = peek();
		this.position++;
		return token;
	}

	private static boolean isIdentifier(String token) {
		return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
	}

	private static List<String> tokens(String text) {
		List<String> tokens = new ArrayList<>();
		int position = 0;
		while (position < text.length()) {
			char first = text.charAt(position);
			int end = position + 1;
			if (Character.isWhitespace(first)) {
				position = end;
				continue;
			}
			if (SPECIAL.indexOf(first) < 0) {
				while (end < text.length() && SPECIAL.indexOf(text.charAt(end)) < 0
						&& !Character.isWhitespace(text.charAt(end))) {
					end++;
				}
			}
			else if ((first == '=' || first == '!') && end < text.length() && text.charAt(end) == '=') {
				end++;
			}
			tokens.add(text.substring(position, end));
			position = end;
		}
		return tokens;
	}

}
