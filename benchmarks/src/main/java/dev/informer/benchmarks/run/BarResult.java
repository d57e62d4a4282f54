/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.PrintStream;
import java.util.List;

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
	 * Print a table in Markdown.
	 */
	static void print(List<BarResult> results, PrintStream out) {
		out.println();
		out.println("| | bar | measured | reached |");
		out.println("|---|---|---|---|");
		results.forEach((result) -> out.println(result.row()));
	}

	/**
	 * Return a row of a table in Markdown.
	 */
	private String row() {
		return "| " + this.bar + " | " + this.limit + " | " + this.figure + " | " + (this.reached ? "yes" : "**no**")
				+ " |";
	}

}
