/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Options of the user.
 *
 * @param pods the number of pods
 * @param updates the number of updates
 * @param rounds the number of runs of each client
 * @param heap the maximum heap of the clients
 * @param java the home of the clients' JDK
 * @param flags further flags of the clients' JVMs
 * @param network settings of the server
 * @param contenders the clients of a comparison
 * @param program the program of client-go; {@code null} if it does not take part
 * @param seconds the duration of runs at a fixed rate of events; 0 for the usual one
 * @param classes compiled classes of this project to check bars with; empty for those
 * that this program was built with
 */
record RunOptions(int pods, int updates, int rounds, String heap, Path java, List<String> flags, String network,
		List<Contender> contenders, @Nullable Path program, int seconds, List<Path> classes) {

	private static final String CLIENTS = "floor,informer,informer+streaming-list,informer-json,client-java,fabric8";

	private static final Set<String> NAMES = new TreeSet<>(Set.of("make", "pods", "updates", "rounds", "heap", "java",
			"flags", "gzip", "bandwidth", "clients", "client-go", "seconds", "quick", "informer-classes"));

	/**
	 * Read options.
	 * @param arguments {@code --name=value}
	 * @throws IllegalArgumentException if an option is unknown
	 */
	static RunOptions of(List<String> arguments) {
		Map<String, String> values = new HashMap<>();
		for (String argument : arguments) {
			String[] parts = argument.split("=", 2);
			String name = parts[0].replaceFirst("^--", "");
			if (!NAMES.contains(name)) {
				throw new IllegalArgumentException("Unknown option '" + argument + "'. Use one of " + NAMES);
			}
			values.put(name, (parts.length > 1) ? parts[1] : "true");
		}
		boolean quick = values.containsKey("quick");
		int pods = Integer.parseInt(values.getOrDefault("pods", quick ? "5000" : "20000"));
		return new RunOptions(pods, Integer.parseInt(values.getOrDefault("updates", Integer.toString(pods))),
				Integer.parseInt(values.getOrDefault("rounds", quick ? "1" : "3")), values.getOrDefault("heap", "4g"),
				Path.of(values.getOrDefault("java", System.getProperty("java.home"))),
				Stream.of(values.getOrDefault("flags", "").split(" ")).filter((flag) -> !flag.isEmpty()).toList(),
				"make=" + values.getOrDefault("make", "") + "&gzip=" + values.containsKey("gzip") + "&bandwidth="
						+ bits(values.getOrDefault("bandwidth", "0")),
				Stream.of(values.getOrDefault("clients", CLIENTS).split(",")).map(Contender::of).toList(),
				values.containsKey("client-go") ? Path.of(values.get("client-go")) : null,
				Integer.parseInt(values.getOrDefault("seconds", "0")),
				values.containsKey("informer-classes") ? List.of(Path.of(values.get("informer-classes"))) : List.of());
	}

	/**
	 * Return the clients of a comparison; client-go takes part if its program is known.
	 */
	List<Contender> comparedClients() {
		Stream<Contender> more = (this.program == null || this.contenders.stream().anyMatch(RunOptions::isClientGo))
				? Stream.empty() : Stream.of(Contender.of(Contender.CLIENT_GO));
		return Stream.concat(this.contenders.stream(), more).toList();
	}

	private static boolean isClientGo(Contender contender) {
		return contender.client().equals(Contender.CLIENT_GO);
	}

	/**
	 * Return the duration of a run at a fixed rate of events.
	 * @param usual the usual number of seconds
	 */
	int seconds(int usual) {
		return (this.seconds > 0) ? this.seconds : usual;
	}

	/**
	 * Return the program of client-go.
	 * @throws IllegalArgumentException if it is not known
	 */
	Path clientGo() {
		if (this.program == null) {
			throw new IllegalArgumentException(
					"Missing option --client-go. Add --client-go=$(benchmarks/client-go/build)");
		}
		return this.program;
	}

	/**
	 * Return these options without updates, for servers that send none.
	 */
	RunOptions withoutUpdates() {
		return new RunOptions(this.pods, 0, this.rounds, this.heap, this.java, this.flags, this.network,
				this.contenders, this.program, this.seconds, this.classes);
	}

	/**
	 * Read {@code 50m} and {@code 1g} bits per second.
	 */
	private static long bits(String text) {
		String digits = text.replaceAll("\\D", "");
		long number = Long.parseLong(digits);
		return switch (text.substring(digits.length())) {
			case "" -> number;
			case "m" -> number * 1_000_000;
			case "g" -> number * 1_000_000_000;
			default ->
				throw new IllegalArgumentException("Invalid bandwidth '" + text + "'. Use a value such as 50m or 1g.");
		};
	}

}
