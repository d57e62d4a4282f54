/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.util.Locale;

/**
 * Limit of a figure.
 *
 * @param value the limit
 * @param most whether it is the maximum or the minimum
 */
record Limit(double value, boolean most) {

	static Limit atMost(double value) {
		return new Limit(value, true);
	}

	static Limit atLeast(double value) {
		return new Limit(value, false);
	}

	boolean isKeptBy(double figure) {
		return this.most ? figure <= this.value : figure >= this.value;
	}

	@Override
	public String toString() {
		return (this.most ? "<= " : ">= ") + format(this.value);
	}

	static String format(double value) {
		return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "") : "-";
	}

}
