package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares clients that sync the same pods and then handle the same updates, and checks
 * what this project has set itself.
 */
public final class SideBySide {

	private SideBySide() {
	}

	/**
	 * Runs a comparison, or checks bars.
	 * @param arguments see the README of this module
	 * @throws Exception when that fails
	 */
	public static void main(String[] arguments) throws Exception {
		List<String> words = Stream.of(arguments).filter((argument) -> !argument.startsWith("--")).toList();
		RunOptions options = RunOptions
			.of(Stream.of(arguments).filter((argument) -> argument.startsWith("--")).toList());
		PrintStream out = System.out;
		try (Bench bench = new Bench(options, out)) {
			switch (words.isEmpty() ? "compare" : words.get(0)) {
				case "compare" -> compare(bench, out);
				case "bars" -> new Bars(words.subList(1, words.size())).check(bench, out);
				default -> throw new IllegalArgumentException(
						"There is no command '" + words.get(0) + "'; there are 'compare' and 'bars'");
			}
		}
	}

	private static void compare(Bench bench, PrintStream out) throws IOException, InterruptedException {
		Comparison comparison = Comparison.of(bench, bench.options().contenders());
		List<String> references = Stream.of("floor", "client-java", "fabric8")
			.filter((name) -> comparison.measurements().keySet().stream().anyMatch((run) -> run.name().equals(name)))
			.toList();
		out.println();
		new ComparisonTable(comparison, references).print(out);
	}

}
