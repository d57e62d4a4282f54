package dev.informer.benchmarks.run;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

import dev.informer.benchmarks.client.ClientType;
import dev.informer.benchmarks.client.Figure;

/**
 * Prints one row per client, in Markdown.
 */
final class ComparisonTable {

	private final RunOptions options;

	private final Map<Contender, Measurements> measurements;

	ComparisonTable(RunOptions options, Map<Contender, Measurements> measurements) {
		this.options = options;
		this.measurements = measurements;
	}

	void print(PrintStream out) {
		out.println("| client | synced s | x floor | CPU s | x floor | peak RSS MB | live heap MB | KB/pod after list "
				+ "| after updates | updates/s | x floor | peak RSS at the end |");
		out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
		Measurements floor = this.measurements.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().type() == ClientType.FLOOR)
			.map(Map.Entry::getValue)
			.findFirst()
			.orElseGet(Measurements::new);
		this.measurements.forEach((contender, measured) -> out.println(row(contender, measured, floor)));
	}

	private String row(Contender contender, Measurements measured, Measurements floor) {
		double sync = measured.median(Figure.SYNC_SECONDS);
		double cpu = measured.median(Figure.SYNC_CPU_SECONDS);
		double updates = this.options.updates() / measured.median(Figure.UPDATES_SECONDS);
		return String.join(" | ", "| " + contender.name(), number("%.2f", sync),
				number("%.2f", sync / floor.median(Figure.SYNC_SECONDS)), number("%.2f", cpu),
				number("%.2f", cpu / floor.median(Figure.SYNC_CPU_SECONDS)),
				number("%,.0f", measured.median(Figure.SYNC_PEAK_MEGABYTES)),
				number("%,.0f", measured.median(Figure.LIST_LIVE_MEGABYTES)),
				number("%.1f", kilobytesPerPod(measured.median(Figure.LIST_LIVE_MEGABYTES))),
				number("%.1f", kilobytesPerPod(measured.median(Figure.UPDATES_LIVE_MEGABYTES))),
				number("%,.0f", updates),
				number("%.2f", updates / (this.options.updates() / floor.median(Figure.UPDATES_SECONDS))),
				number("%,.0f", measured.median(Figure.PEAK_MEGABYTES))) + " |";
	}

	private double kilobytesPerPod(double megabytes) {
		return megabytes * 1024 / this.options.pods();
	}

	private static String number(String format, double value) {
		return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
	}

}
