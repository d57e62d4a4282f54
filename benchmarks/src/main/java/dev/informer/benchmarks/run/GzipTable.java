/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

import dev.informer.benchmarks.client.Figure;

/**
 * Comparison of lists with and without gzip over networks of different speed, with one
 * row per network, in Markdown.
 */
final class GzipTable {

	private static final List<Network> NETWORKS = List.of(new Network("loopback", 0),
			new Network("1 Gbit/s", 1_000_000_000L), new Network("50 Mbit/s", 50_000_000L));

	private final Bench bench;

	GzipTable(Bench bench) {
		this.bench = bench;
	}

	void print(PrintStream out) throws IOException, InterruptedException {
		Contender informer = Contender.of("informer").withClasses(this.bench.options().classes());
		StringBuilder rows = new StringBuilder();
		for (Network network : NETWORKS) {
			Measurements plain = measure(informer, network.bitsPerSecond(), false);
			Measurements gzip = measure(informer, network.bitsPerSecond(), true);
			rows.append(String.format(Locale.ROOT, "| %s | %.2f | %.2f | %.2f | %.2f |%n", network.name(),
					plain.median(Figure.SYNC_SECONDS), gzip.median(Figure.SYNC_SECONDS),
					plain.median(Figure.SYNC_CPU_SECONDS), gzip.median(Figure.SYNC_CPU_SECONDS)));
		}
		out.println();
		out.println("| network | synced after, s | with gzip | CPU of the client, s | with gzip |");
		out.println("|---|---:|---:|---:|---:|");
		out.print(rows);
	}

	private Measurements measure(Contender informer, long bandwidth, boolean gzip)
			throws IOException, InterruptedException {
		RunOptions options = this.bench.options();
		Task task = new Task(Task.sync(options).main(),
				"pods=" + options.pods() + "&gzip=" + gzip + "&bandwidth=" + bandwidth,
				List.of("-Xmx" + options.heap()), options.pods(), 0);
		return this.bench.measure(List.of(informer), task).getOrDefault(informer, new Measurements());
	}

	/**
	 * Network of limited bandwidth.
	 *
	 * @param name its name
	 * @param bitsPerSecond its bandwidth; 0 for no limit
	 */
	private record Network(String name, long bitsPerSecond) {

	}

}
