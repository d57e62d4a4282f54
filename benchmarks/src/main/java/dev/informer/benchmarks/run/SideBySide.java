package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.benchmarks.client.ClientProcess;
import dev.informer.benchmarks.client.ClientType;
import dev.informer.benchmarks.client.Figure;

/**
 * Compares clients that sync the same pods and then handle the same updates: one at a
 * time, each in a new JVM, in rounds.
 */
public final class SideBySide {

	private final RunOptions options;

	private final ServerProcess server;

	private final PrintStream out;

	private SideBySide(RunOptions options, ServerProcess server, PrintStream out) {
		this.options = options;
		this.server = server;
		this.out = out;
	}

	/**
	 * Runs the comparison.
	 * @param arguments see the README of this module
	 * @throws Exception when that fails
	 */
	public static void main(String[] arguments) throws Exception {
		RunOptions options = RunOptions.of(List.of(arguments));
		try (ServerProcess server = new ServerProcess(options.java())) {
			new SideBySide(options, server, System.out).run();
		}
	}

	private void run() throws IOException, InterruptedException {
		Map<Contender, Measurements> measurements = new LinkedHashMap<>();
		this.options.contenders().forEach((contender) -> measurements.put(contender, new Measurements()));
		measure(Contender.of(ClientType.FLOOR.name()));
		for (int round = 1; round <= this.options.rounds(); round++) {
			for (Map.Entry<Contender, Measurements> entry : measurements.entrySet()) {
				Map<Figure, Double> figures = measure(entry.getKey());
				this.out.println("round " + round + " " + entry.getKey().name() + " " + figures);
				entry.getValue().add(figures);
			}
		}
		this.out.println();
		new ComparisonTable(this.options, measurements).print(this.out);
	}

	/** The first run is for the server alone, whose code is compiled meanwhile. */
	private Map<Figure, Double> measure(Contender contender) throws IOException, InterruptedException {
		this.server.control().reset("pods=" + this.options.pods() + "&" + this.options.network());
		List<String> flags = new ArrayList<>(List.of("-Xmx" + this.options.heap()));
		flags.addAll(this.options.flags());
		List<String> arguments = contender.processArguments("server=" + this.server.address(),
				"objects=" + this.options.pods(), "updates=" + this.options.updates());
		Map<Figure, Double> figures = new EnumMap<>(Figure.class);
		try (JavaProcess process = JavaProcess.start(this.options.java(), contender.classes(), flags,
				ClientProcess.class, arguments)) {
			String line = process.readLine();
			while (line != null) {
				if (line.startsWith("figure ")) {
					String[] parts = line.split(" ");
					figures.put(Figure.valueOf(parts[1]), Double.parseDouble(parts[2]));
				}
				line = process.readLine();
			}
			if (process.await() != 0) {
				throw new IllegalStateException(contender.name() + " has failed, see above");
			}
		}
		return figures;
	}

}
