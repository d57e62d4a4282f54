/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Check of bars, which prints the limit, the measured figure and the result of each.
 */
final class Bars {

	private static final List<String> CLIENTS = List.of("informer", "informer-json");

	private final List<SyncBar> syncBars;

	private final List<OwnBar> ownBars;

	/**
	 * Select bars.
	 * @param names their names; empty for all bars
	 * @throws IllegalArgumentException if a name is unknown
	 */
	Bars(List<String> names) {
		names.stream().filter((name) -> !allNames().contains(name)).findFirst().ifPresent((name) -> {
			throw new IllegalArgumentException("Unknown bar '" + name + "'. Use one of " + allNames());
		});
		this.syncBars = SyncBar.replayed().stream().filter((bar) -> isSelected(names, bar)).toList();
		this.ownBars = Arrays.stream(OwnBar.values()).filter((bar) -> isSelected(names, bar)).toList();
	}

	private static boolean isSelected(List<String> names, Enum<?> bar) {
		return names.isEmpty() || names.contains(name(bar));
	}

	private static List<String> allNames() {
		return Stream.<Enum<?>>concat(SyncBar.replayed().stream(), Arrays.stream(OwnBar.values()))
			.map(Bars::name)
			.toList();
	}

	private static String name(Enum<?> bar) {
		return bar.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Check the bars.
	 * @param bench the bench that runs clients
	 * @param out the stream for the results
	 * @return whether all were reached
	 */
	boolean check(Bench bench, PrintStream out) throws IOException, InterruptedException {
		List<BarResult> results = new ArrayList<>();
		if (!this.syncBars.isEmpty()) {
			Comparison comparison = Comparison.of(bench, contenders(bench.options()));
			out.println();
			new ComparisonTable(comparison, List.of("floor")).print(out);
			out.println();
			for (String client : CLIENTS) {
				this.syncBars.forEach((bar) -> results.add(bar.check(comparison, client)));
			}
		}
		for (OwnBar bar : this.ownBars) {
			for (String client : bar.clients()) {
				results.addAll(bar.check(bench, Contender.of(client).withClasses(bench.options().classes())));
			}
		}
		BarResult.print(results, out);
		return results.stream().allMatch(BarResult::reached);
	}

	private List<Contender> contenders(RunOptions options) {
		Set<String> names = new LinkedHashSet<>();
		this.syncBars.forEach((bar) -> CLIENTS.forEach((client) -> names.addAll(bar.contenders(client))));
		return names.stream().map((name) -> Contender.of(name).withClasses(options.classes())).toList();
	}

}
