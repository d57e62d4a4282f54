/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.example.rollouts.PromQuery.LabelMatcher;
import com.example.rollouts.PromQuery.Selector;

/**
 * Response of {@code /actuator/prometheus}.
 *
 * @param series the labels of the series of each metric
 * @param families the names of the metrics without the suffixes of their parts
 * @param described the families with a description
 */
record Scrape(Map<String, List<Map<String, String>>> series, Set<String> families, Set<String> described) {

	private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? \\S+");

	private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

	private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) \\S+");

	private static final Pattern HELP = Pattern.compile("# HELP (\\S+) \\S.*");

	/** What Prometheus adds to every series. */
	private static final Set<String> TARGET_LABELS = Set.of("instance", "job", "namespace", "pod", "application");

	static Scrape parse(String text) {
		Map<String, List<Map<String, String>>> series = new HashMap<>();
		Set<String> families = new TreeSet<>();
		Set<String> described = new TreeSet<>();
		text.lines().forEach((line) -> {
			Matcher type = TYPE.matcher(line);
			if (type.matches()) {
				families.add(type.group(1));
			}
			Matcher help = HELP.matcher(line);
			if (help.matches()) {
				described.add(help.group(1));
			}
			Matcher matcher = SERIES.matcher(line);
			if (!line.startsWith("#") && matcher.matches()) {
				series.computeIfAbsent(matcher.group(1), (name) -> new ArrayList<>()).add(labels(matcher.group(2)));
			}
		});
		return new Scrape(series, families, described);
	}

	private static Map<String, String> labels(String text) {
		Map<String, String> labels = new TreeMap<>();
		if (text != null) {
			Matcher matcher = LABEL.matcher(text);
			while (matcher.find()) {
				labels.put(matcher.group(1), matcher.group(2));
			}
		}
		return labels;
	}

	/**
	 * Return the metrics and labels of a query that the response does not contain.
	 * @param query the query
	 * @param labels further labels that its result must have
	 * @return one line for each problem
	 */
	List<String> missing(PromQuery query, Set<String> labels) {
		List<String> missing = new ArrayList<>();
		Set<String> wanted = new TreeSet<>(query.labels());
		wanted.addAll(query.matchedLabels());
		wanted.addAll(labels);
		for (Selector selector : query.selectors()) {
			// 'up' is written by Prometheus itself, with the labels of the target
			List<Map<String, String>> found = "up".equals(selector.metric()) ? List.of(Map.of())
					: this.series.getOrDefault(selector.metric(), List.of());
			if (found.isEmpty()) {
				missing.add("unknown metric " + selector.metric());
			}
			else {
				(selector.condition() ? selector.conditionLabels() : wanted).stream()
					.filter((label) -> !TARGET_LABELS.contains(label))
					.filter((label) -> found.stream().noneMatch((each) -> each.containsKey(label)))
					.forEach((label) -> missing.add(selector.metric() + " has no label " + label));
				selector.matchers()
					.stream()
					.filter((matcher) -> found.stream().noneMatch((each) -> matches(matcher, each)))
					.forEach((matcher) -> missing.add(selector.metric() + " has no series with " + matcher));
			}
		}
		return missing;
	}

	private static boolean matches(LabelMatcher matcher, Map<String, String> labels) {
		if (TARGET_LABELS.contains(matcher.label())) {
			return true;
		}
		String value = labels.get(matcher.label());
		if (value == null || matcher.value().startsWith("$")) {
			return value != null;
		}
		return switch (matcher.operator()) {
			case "=" -> value.equals(matcher.value());
			case "=~" -> value.matches(matcher.value());
			case "!=" -> !value.equals(matcher.value());
			case "!~" -> !value.matches(matcher.value());
			default -> throw new IllegalArgumentException("Unknown operator in " + matcher);
		};
	}

}
