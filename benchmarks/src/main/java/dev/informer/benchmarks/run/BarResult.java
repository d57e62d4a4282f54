/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

/**
 * Result of the check of a bar.
 *
 * @param bar the description of the bar
 * @param limit the limit of the figure
 * @param figure the measured figure
 * @param reached whether the figure is within the limit
 */
record BarResult(String bar, String limit, String figure, boolean reached) {

	static BarResult of(String bar, Limit limit, double figure) {
		return new BarResult(bar, limit.toString(), Limit.format(figure), limit.isKeptBy(figure));
	}

	/**
	 * Return a row of a table in Markdown.
	 */
	String row() {
		return "| " + this.bar + " | " + this.limit + " | " + this.figure + " | " + (this.reached ? "yes" : "**no**")
				+ " |";
	}

}
