/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.util.List;
import java.util.stream.Stream;

/**
 * All scenarios, in the order of the table.
 */
final class Scenarios {

	private Scenarios() {
	}

	static List<Scenario> all() {
		return Stream
			.of(ServerScenarios.all(), StorageScenarios.all(), NetworkScenarios.all(), AccessScenarios.all(),
					ClientScenarios.all())
			.flatMap(List::stream)
			.toList();
	}

	/**
	 * Return the scenarios whose names are, or begin with, one of the words.
	 * @param words the words; empty for all scenarios
	 */
	static List<Scenario> matching(List<String> words) {
		for (String word : words) {
			if (all().stream().noneMatch((scenario) -> scenario.name().startsWith(word))) {
				throw new IllegalArgumentException("Unknown scenario '" + word + "'. Use one of " + all());
			}
		}
		return all().stream()
			.filter((scenario) -> words.isEmpty() || words.stream().anyMatch(scenario.name()::startsWith))
			.toList();
	}

}
