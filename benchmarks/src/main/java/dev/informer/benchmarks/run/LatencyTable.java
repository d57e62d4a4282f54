/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.informer.benchmarks.client.Figure;
import dev.informer.benchmarks.client.LatencyProcess;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the times from the server to the handler, at fixed rates of events, with
 * one row per client and rate, in Markdown.
 */
final class LatencyTable {

	private static final List<Rate> RATES = List.of(new Rate(1000, Limit.atMost(1), Limit.atMost(10)),
			new Rate(3000, Limit.atMost(9), null));

	private static final int SECONDS = 30;

	private final Bench bench;

	LatencyTable(Bench bench) {
		this.bench = bench;
	}

	/**
	 * Measure and print.
	 */
	void print(PrintStream out) throws IOException, InterruptedException {
		RunOptions options = this.bench.options();
		List<Contender> clients = options.comparedClients()
			.stream()
			.filter((client) -> !client.client().equals("floor"))
			.filter((client) -> client.arguments().isEmpty())
			.toList();
		StringBuilder rows = new StringBuilder();
		for (Rate rate : RATES) {
			Task task = new Task(LatencyProcess.class, "pods=" + options.pods() + "&" + options.network(),
					List.of("-Xmx" + options.heap()), options.pods(), options.seconds(SECONDS) * rate.events(),
					List.of("rate=" + rate.events()));
			for (Map.Entry<Contender, Measurements> entry : this.bench.measure(clients, task).entrySet()) {
				Measurements measured = entry.getValue();
				boolean own = entry.getKey().name().equals("informer");
				rows.append(String.format(Locale.ROOT, "| %,d | %s | %s | %s | %s | %s |%n", rate.events(),
						entry.getKey().name(), cell(measured.median(Figure.LATENCY_P50), null),
						cell(measured.median(Figure.LATENCY_P99), own ? rate.p99() : null),
						cell(measured.median(Figure.LATENCY_P999), own ? rate.p999() : null),
						cell(measured.median(Figure.LATENCY_MAX), null)));
			}
		}
		out.println();
		out.println("| events per s | client | p50, ms | p99, ms | p99.9, ms | longest, ms |");
		out.println("|---:|---|---:|---:|---:|---:|");
		out.print(rows);
	}

	/**
	 * Return a time, with its bar if there is one.
	 */
	private static String cell(double millis, @Nullable Limit bar) {
		String text = String.format(Locale.ROOT, "%.2f", millis);
		if (bar == null) {
			return text;
		}
		return (bar.isKeptBy(millis) ? text : "**" + text + "**") + " (" + bar + ")";
	}

	/**
	 * Rate of events, and the bars of the informer with protobuf.
	 *
	 * @param events the number of events per second
	 * @param p99 the bar on the time of 99 % of them
	 * @param p999 the bar on the time of 99.9 % of them
	 */
	private record Rate(int events, @Nullable Limit p99, @Nullable Limit p999) {
	}

}
