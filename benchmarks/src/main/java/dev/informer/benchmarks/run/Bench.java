/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.benchmarks.client.Figure;

/**
 * Bench that runs clients against one server: one at a time, each in a new JVM, in
 * rounds.
 */
final class Bench implements AutoCloseable {

	private static final String FIGURE = "figure ";

	private final RunOptions options;

	private final BenchServer server;

	private final PrintStream progress;

	private boolean warm;

	/**
	 * Create a bench.
	 * @param options the options of the user
	 * @param server the server for the clients, closed with this bench
	 * @param progress the stream for the figures of every run
	 */
	Bench(RunOptions options, BenchServer server, PrintStream progress) {
		this.options = options;
		this.server = server;
		this.progress = progress;
	}

	RunOptions options() {
		return this.options;
	}

	/**
	 * Run each client once per round.
	 */
	Map<Contender, Measurements> measure(List<Contender> contenders, Task task)
			throws IOException, InterruptedException {
		Map<Contender, Measurements> measurements = new LinkedHashMap<>();
		contenders.forEach((contender) -> measurements.put(contender, new Measurements()));
		for (int round = 1; round <= this.options.rounds(); round++) {
			for (Map.Entry<Contender, Measurements> entry : measurements.entrySet()) {
				entry.getValue().add(run(entry.getKey(), task));
			}
		}
		return measurements;
	}

	/**
	 * Run a client once.
	 * @throws ClientFailedException if the client fails
	 */
	Map<Figure, Double> run(Contender contender, Task task) throws IOException, InterruptedException {
		if (!this.warm) {
			this.warm = true;
			warmServer();
		}
		Map<Figure, Double> figures = runCold(contender, task);
		this.progress.println(task.main().getSimpleName() + " " + contender.name() + " " + figures);
		return figures;
	}

	/**
	 * Warm up the server in both encodings, so that its code is compiled.
	 */
	private void warmServer() throws IOException, InterruptedException {
		runCold(Contender.of("floor"), Task.sync(this.options));
		runCold(Contender.of("informer"), Task.sync(this.options));
	}

	private Map<Figure, Double> runCold(Contender contender, Task task) throws IOException, InterruptedException {
		this.server.reset(task.server() + contender.serverSettings(task.updates()));
		List<String> arguments = contender.processArguments("server=" + this.server.address(),
				"objects=" + task.objects(), "updates=" + task.updates());
		arguments.addAll(task.arguments());
		arguments.addAll(this.server.credentials());
		Map<Figure, Double> figures = new EnumMap<>(Figure.class);
		try (ChildProcess process = start(contender, task, arguments)) {
			String line = process.readLine();
			while (line != null) {
				if (line.startsWith(FIGURE)) {
					String[] parts = line.substring(FIGURE.length()).split(" ");
					figures.put(Figure.valueOf(parts[0]), Double.parseDouble(parts[1]));
				}
				line = process.readLine();
			}
			int code = process.await();
			if (code != 0) {
				throw new ClientFailedException(contender, code);
			}
		}
		return figures;
	}

	private ChildProcess start(Contender contender, Task task, List<String> arguments) throws IOException {
		if (contender.client().equals(Contender.CLIENT_GO)) {
			arguments.add("run=" + task.main().getSimpleName());
			return ChildProcess.program(this.options.clientGo(), arguments);
		}
		List<String> flags = new ArrayList<>(task.flags());
		flags.add("-XX:+ExitOnOutOfMemoryError");
		flags.addAll(this.options.flags());
		return ChildProcess.java(this.options.java(), contender.classes(), flags, task.main(), arguments);
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
