/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.informer.benchmarks.client.Figure;

/**
 * Measurements of one client in all rounds.
 */
final class Measurements {

	private final Map<Figure, List<Double>> values = new EnumMap<>(Figure.class);

	void add(Map<Figure, Double> round) {
		round.forEach((figure, value) -> this.values.computeIfAbsent(figure, (first) -> new ArrayList<>()).add(value));
	}

	/**
	 * Return the median of the rounds; of an even number of them the lower one.
	 * @return the median; not a number if it was not measured
	 */
	double median(Figure figure) {
		List<Double> sorted = this.values.getOrDefault(figure, List.of()).stream().sorted().toList();
		return sorted.isEmpty() ? Double.NaN : sorted.get((sorted.size() - 1) / 2);
	}

}
