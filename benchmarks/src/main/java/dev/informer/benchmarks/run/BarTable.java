/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Table in Markdown with one row per bar and one column per client. The bars are those of
 * the informer with protobuf; a figure of it that misses its bar is bold.
 */
final class BarTable {

	private final Comparison comparison;

	private final List<SyncBar> bars;

	/**
	 * Create a table.
	 * @param comparison the figures
	 * @param bars the bars to print, as far as their clients took part
	 */
	BarTable(Comparison comparison, List<SyncBar> bars) {
		this.comparison = comparison;
		this.bars = bars;
	}

	void print(PrintStream out) {
		List<String> clients = this.comparison.measurements()
			.keySet()
			.stream()
			.map(Contender::client)
			.filter((client) -> !client.equals("floor"))
			.distinct()
			.toList();
		out.println("| | bar | " + String.join(" | ", clients) + " |");
		out.println("|---|---|" + "---:|".repeat(clients.size()));
		for (SyncBar bar : this.bars) {
			List<String> cells = new ArrayList<>(List.of(bar.text(), bar.limit("informer").toString()));
			clients.forEach((client) -> cells.add(cell(bar, client)));
			if (!cells.subList(2, cells.size()).stream().allMatch("-"::equals)) {
				out.println("| " + String.join(" | ", cells) + " |");
			}
		}
	}

	private String cell(SyncBar bar, String client) {
		double figure = bar.figure(this.comparison, client);
		String text = Limit.format(figure);
		boolean missed = client.equals("informer") && Double.isFinite(figure) && !bar.limit(client).isKeptBy(figure);
		return missed ? "**" + text + "**" : text;
	}

}
