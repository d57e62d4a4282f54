/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Main class that compares clients that sync the same pods and then handle the same
 * updates, and checks the bars of this project.
 */
public final class SideBySide {

	private SideBySide() {
	}

	/**
	 * Run a comparison, or check bars.
	 * @param arguments see the README of this module
	 * @throws Exception if a run fails
	 */
	public static void main(String[] arguments) throws Exception {
		List<String> words = Stream.of(arguments).filter((argument) -> !argument.startsWith("--")).toList();
		RunOptions options = RunOptions
			.of(Stream.of(arguments).filter((argument) -> argument.startsWith("--")).toList());
		run(words.isEmpty() ? "compare" : words.get(0), words.subList(Math.min(1, words.size()), words.size()), options,
				System.out);
	}

	private static void run(String command, List<String> names, RunOptions options, PrintStream out)
			throws IOException, InterruptedException {
		switch (command) {
			case "compare" -> replay(options, out, (bench) -> {
				compare(bench, SyncBar.replayed(), out);
				relist(bench, out);
			});
			case "bars" -> {
				Bars bars = new Bars(names);
				replay(options, out, (bench) -> bars.check(bench, out));
			}
			case "gzip" -> replay(options, out, (bench) -> new GzipTable(bench).print(out));
			case "latency" -> replay(options, out, (bench) -> new LatencyTable(bench).print(out));
			case "growth" -> replay(options, out, (bench) -> new GrowthTable(bench).print(out));
			case "aot" -> replay(options, out, (bench) -> new AotTable(bench).print(out));
			case "live" -> {
				LiveCluster cluster = new LiveCluster();
				try (Bench bench = new Bench(options.withoutUpdates(), cluster, out)) {
					cluster.createPods(options.pods());
					compare(bench, SyncBar.ofRealServer(), out);
				}
			}
			case "controllers" -> new ControllerTable(options).print(out);
			default -> throw new IllegalArgumentException("Unknown command '" + command
					+ "'. Use 'compare', 'bars', 'gzip', 'live', 'latency', 'growth', 'aot' or 'controllers'.");
		}
	}

	/**
	 * Run a command with the replay server.
	 */
	private static void replay(RunOptions options, PrintStream out, Command command)
			throws IOException, InterruptedException {
		try (Bench bench = new Bench(options, new ServerProcess(options.java()), out)) {
			command.run(bench);
		}
	}

	private static void compare(Bench bench, List<SyncBar> bars, PrintStream out)
			throws IOException, InterruptedException {
		Comparison comparison = Comparison.of(bench, bench.options().comparedClients());
		List<String> references = Stream.of("floor", "client-java", "fabric8")
			.filter((name) -> comparison.measurements().keySet().stream().anyMatch((run) -> run.name().equals(name)))
			.toList();
		out.println();
		new ComparisonTable(comparison, references).print(out);
		out.println();
		new BarTable(comparison, bars).print(out);
	}

	private static void relist(Bench bench, PrintStream out) throws IOException, InterruptedException {
		List<BarResult> results = new ArrayList<>();
		for (Contender contender : bench.options().contenders()) {
			if (OwnBar.RELIST.clients().contains(contender.name())) {
				results.addAll(OwnBar.RELIST.check(bench, contender));
			}
		}
		if (!results.isEmpty()) {
			BarResult.print(results, out);
		}
	}

	private interface Command {

		void run(Bench bench) throws IOException, InterruptedException;

	}

}
