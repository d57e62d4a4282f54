/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.informer.benchmarks.client.Figure;
import dev.informer.benchmarks.client.GrowthProcess;
import org.jspecify.annotations.Nullable;

/**
 * Growth of the time and the heap of a warm sync with the numbers of objects of 1 KB, of
 * handlers, of namespaces and of indices, with one row per combination, in Markdown.
 */
final class GrowthTable {

	private static final int KILOBYTES_PER_MEGABYTE = 1024;

	/** Number of objects of the rows in which another number grows. */
	private static final int OBJECTS = 20_000;

	private static final List<Integer> ALL_OBJECTS = List.of(1000, 10_000, 100_000, 300_000);

	private final Bench bench;

	private final double scale;

	private final List<BarResult> results = new ArrayList<>();

	/**
	 * Create a table.
	 * @param bench the bench; fewer pods than usual among its options scale the objects
	 */
	GrowthTable(Bench bench) {
		this.bench = bench;
		this.scale = Math.min(1, bench.options().pods() / (double) OBJECTS);
	}

	/**
	 * Measure and print.
	 */
	void print(PrintStream out) throws IOException, InterruptedException {
		StringBuilder rows = new StringBuilder();
		Row before = measure(new Size(scaled(ALL_OBJECTS.get(0)), 1, 0, 0), null, rows);
		for (int objects : ALL_OBJECTS.subList(1, ALL_OBJECTS.size())) {
			Row row = measure(new Size(scaled(objects), 1, 0, 0), before, rows);
			check("time per object", 1.2, row, before, Figure.SYNC_SECONDS);
			check("heap per object", 1.2, row, before, Figure.ADDED_MEGABYTES);
			before = row;
		}
		int objects = scaled(OBJECTS);
		Row base = measure(new Size(objects, 1, 0, 0), null, rows);
		for (int handlers : List.of(10, 100)) {
			Row row = measure(new Size(objects, handlers, 0, 0), base, rows);
			check("synced after", 1.1, row, base, Figure.SYNC_SECONDS);
		}
		Row single = measure(new Size(objects, 1, 1, 0), base, rows);
		for (int namespaces : List.of(20, 200)) {
			measure(new Size(objects, 1, namespaces, 0), single, rows);
		}
		Row indexed = measure(new Size(objects, 1, 0, 1), base, rows);
		measure(new Size(objects, 1, 0, 10), indexed, rows);
		out.println();
		out.println(
				"| objects | handlers | namespaces | indices | synced after, ms | CPU, ms | us per object | all handlers, ms "
						+ "| heap, KB per object | time per object, x the reference | heap per object, x the reference |");
		out.println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
		out.print(rows);
		BarResult.print(this.results, out);
	}

	private int scaled(int objects) {
		return Math.max(200, (int) (objects * this.scale) / 200 * 200);
	}

	private void check(String text, double limit, Row row, Row reference, Figure figure) {
		this.results.add(BarResult.of(text + ", " + row.size() + ", x " + reference.size(), Limit.atMost(limit),
				row.perObject(figure, reference)));
	}

	/**
	 * Measure a combination and append its row.
	 * @param reference the row to compare with; {@code null} for none
	 */
	private Row measure(Size size, @Nullable Row reference, StringBuilder rows)
			throws IOException, InterruptedException {
		Contender informer = Contender.of("informer").withClasses(this.bench.options().classes());
		Task task = new Task(GrowthProcess.class, size.server(), List.of("-Xmx" + this.bench.options().heap()),
				size.objects(), 0, size.arguments());
		Measurements measured = this.bench.measure(List.of(informer), task).getOrDefault(informer, new Measurements());
		Row row = new Row(size, measured);
		rows.append(row.text(reference));
		return row;
	}

	/**
	 * Combination of numbers.
	 *
	 * @param objects the number of objects
	 * @param handlers the number of handlers
	 * @param namespaces the number of namespaces; 0 for one list of all of them
	 * @param indices the number of indices besides that of namespaces
	 */
	private record Size(int objects, int handlers, int namespaces, int indices) {

		/**
		 * Return the settings of the server: each list has its share of the objects.
		 */
		String server() {
			return "services=" + this.objects / Math.max(1, this.namespaces) + "&namespaces=" + this.namespaces;
		}

		List<String> arguments() {
			return List.of("handlers=" + this.handlers, "namespaces=" + this.namespaces, "indices=" + this.indices);
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%,d objects, %d handlers", this.objects, this.handlers);
		}

	}

	/**
	 * Combination with its measurements.
	 */
	private record Row(Size size, Measurements measured) {

		double figure(Figure figure) {
			return this.measured.median(figure);
		}

		/**
		 * Return a figure per object as a multiple of that of another row.
		 */
		double perObject(Figure figure, Row other) {
			return figure(figure) / this.size.objects() / (other.figure(figure) / other.size.objects());
		}

		String text(@Nullable Row reference) {
			double objects = this.size.objects();
			return String.format(Locale.ROOT, "| %,d | %d | %s | %d | %.1f | %.1f | %.2f | %.1f | %.2f | %s | %s |%n",
					this.size.objects(), this.size.handlers(),
					(this.size.namespaces() > 0) ? Integer.toString(this.size.namespaces()) : "all",
					this.size.indices(), figure(Figure.SYNC_SECONDS) * 1e3, figure(Figure.SYNC_CPU_SECONDS) * 1e3,
					figure(Figure.SYNC_SECONDS) * 1e6 / objects, figure(Figure.HANDLED_SECONDS) * 1e3,
					figure(Figure.ADDED_MEGABYTES) * KILOBYTES_PER_MEGABYTE / objects,
					(reference != null) ? Limit.format(perObject(Figure.SYNC_SECONDS, reference)) : "",
					(reference != null) ? Limit.format(perObject(Figure.ADDED_MEGABYTES, reference)) : "");
		}

	}

}
