/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Reporter of figures to the parent process, one figure per line.
 */
final class Report {

	/** Prefix of a line with a figure. */
	static final String FIGURE = "figure ";

	private final PrintStream out;

	Report(PrintStream out) {
		this.out = out;
	}

	void figure(Figure figure, double value) {
		this.out.println(FIGURE + figure.name() + " " + String.format(Locale.ROOT, "%.6f", value));
	}

}
