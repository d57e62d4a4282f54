/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import dev.informer.benchmarks.client.Figure;

/**
 * Measurements of several clients for the same task.
 *
 * @param pods the number of pods
 * @param updates the number of updates
 * @param measurements the measurements by client
 */
record Comparison(int pods, int updates, Map<Contender, Measurements> measurements) {

	private static final int KILOBYTES_PER_MEGABYTE = 1024;

	static Comparison of(Bench bench, List<Contender> contenders) throws IOException, InterruptedException {
		Task task = Task.sync(bench.options());
		return new Comparison(task.objects(), task.updates(), bench.measure(contenders, task));
	}

	/**
	 * Return a figure of a client.
	 * @return the median; not a number if it was not measured
	 */
	double median(String contender, Figure figure) {
		return this.measurements.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().name().equals(contender))
			.mapToDouble((entry) -> entry.getValue().median(figure))
			.findFirst()
			.orElse(Double.NaN);
	}

	/**
	 * Return a figure of a client as a multiple of that of another one.
	 */
	double ratio(String contender, String other, Figure figure) {
		return median(contender, figure) / median(other, figure);
	}

	/**
	 * Return a size of a client in kilobytes per pod.
	 */
	double kilobytesPerPod(String contender, Figure figure) {
		return median(contender, figure) * KILOBYTES_PER_MEGABYTE / this.pods;
	}

	double updatesPerSecond(String contender) {
		return this.updates / median(contender, Figure.UPDATES_SECONDS);
	}

}
