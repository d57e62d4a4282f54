/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

/**
 * How a bar was met.
 *
 * @param bar what it is about
 * @param limit what was to be reached
 * @param figure what was measured
 * @param reached whether it was reached
 */
record BarResult(String bar, String limit, String figure, boolean reached) {

	static BarResult of(String bar, Limit limit, double figure) {
		return new BarResult(bar, limit.toString(), Limit.format(figure), limit.isKeptBy(figure));
	}

	/**
	 * A row of a table in Markdown.
	 */
	String row() {
		return "| " + this.bar + " | " + this.limit + " | " + this.figure + " | " + (this.reached ? "yes" : "**no**")
				+ " |";
	}

}
