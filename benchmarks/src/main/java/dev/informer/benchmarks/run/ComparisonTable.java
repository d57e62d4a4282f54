/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import dev.informer.benchmarks.client.Figure;

/**
 * Table in Markdown with one row per client.
 */
final class ComparisonTable {

	private final Comparison comparison;

	private final List<Column> columns = new ArrayList<>();

	/**
	 * Create a table.
	 * @param comparison the comparison to print
	 * @param references the names of the clients to compare with
	 */
	ComparisonTable(Comparison comparison, List<String> references) {
		this.comparison = comparison;
		column("synced after, s", "%.2f", (name) -> comparison.median(name, Figure.SYNC_SECONDS));
		ratios(references, Figure.SYNC_SECONDS);
		column("CPU, s", "%.2f", (name) -> comparison.median(name, Figure.SYNC_CPU_SECONDS));
		ratios(references, Figure.SYNC_CPU_SECONDS);
		column("CPU of the server, s", "%.2f", (name) -> comparison.median(name, Figure.SERVER_CPU_SECONDS));
		column("peak RSS, MB", "%,.0f", (name) -> comparison.median(name, Figure.SYNC_PEAK_MEGABYTES));
		column("live heap, MB", "%,.0f", (name) -> comparison.median(name, Figure.LIST_LIVE_MEGABYTES));
		column("KB per pod after list", "%.1f", (name) -> comparison.kilobytesPerPod(name, Figure.LIST_LIVE_MEGABYTES));
		column("after updates", "%.1f", (name) -> comparison.kilobytesPerPod(name, Figure.UPDATES_LIVE_MEGABYTES));
		column("updates per s", "%,.0f", comparison::updatesPerSecond);
		for (String reference : references) {
			column("x " + reference, "%.2f",
					(name) -> comparison.updatesPerSecond(name) / comparison.updatesPerSecond(reference));
		}
	}

	private void ratios(List<String> references, Figure figure) {
		for (String reference : references) {
			column("x " + reference, "%.2f", (name) -> this.comparison.ratio(name, reference, figure));
		}
	}

	/**
	 * Add a column, if a client has a value for it.
	 */
	private void column(String title, String format, ToDoubleFunction<String> value) {
		boolean measured = this.comparison.measurements()
			.keySet()
			.stream()
			.anyMatch((contender) -> Double.isFinite(value.applyAsDouble(contender.name())));
		if (measured) {
			this.columns.add(new Column(title, format, value));
		}
	}

	void print(PrintStream out) {
		out.println("| client | " + String.join(" | ", this.columns.stream().map(Column::title).toList()) + " |");
		out.println("|---|" + "---:|".repeat(this.columns.size()));
		for (Contender contender : this.comparison.measurements().keySet()) {
			List<String> cells = this.columns.stream().map((column) -> column.cell(contender.name())).toList();
			out.println("| " + contender.name() + " | " + String.join(" | ", cells) + " |");
		}
	}

	private record Column(String title, String format, ToDoubleFunction<String> value) {

		String cell(String contender) {
			double number = this.value.applyAsDouble(contender);
			return Double.isFinite(number) ? String.format(Locale.ROOT, this.format, number) : "-";
		}

	}

}
