/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Options of the user.
 *
 * @param scenarios the scenarios to run
 * @param runs the number of runs of each scenario
 * @param parallel the number of control planes at a time
 * @param soak the duration of a soak, zero for the table of all scenarios
 */
record SuiteOptions(List<Scenario> scenarios, int runs, int parallel, Duration soak) {

	private static final Set<String> NAMES = new TreeSet<>(Set.of("scenarios", "runs", "parallel", "soak"));

	/**
	 * Read options.
	 * @param arguments {@code --name=value}
	 * @throws IllegalArgumentException if an option is unknown
	 */
	static SuiteOptions of(List<String> arguments) {
		Map<String, String> values = values(arguments, NAMES);
		return new SuiteOptions(Scenarios.matching(words(values.getOrDefault("scenarios", ""))),
				Integer.parseInt(values.getOrDefault("runs", "1")),
				Integer.parseInt(values.getOrDefault("parallel", "1")),
				Duration.parse("PT" + values.getOrDefault("soak", "0s")));
	}

	/**
	 * Read the values of options.
	 * @param arguments {@code --name=value}
	 * @throws IllegalArgumentException if an option is unknown
	 */
	static Map<String, String> values(List<String> arguments, Set<String> names) {
		Map<String, String> values = new HashMap<>();
		for (String argument : arguments) {
			String[] parts = argument.split("=", 2);
			String name = parts[0].replaceFirst("^--", "");
			if (!names.contains(name) || parts.length < 2) {
				throw new IllegalArgumentException("Unknown option '" + argument + "'. Use --NAME=VALUE with " + names);
			}
			values.put(name, parts[1]);
		}
		return values;
	}

	private static List<String> words(String text) {
		return Stream.of(text.split(",")).filter((word) -> !word.isEmpty()).toList();
	}

}
