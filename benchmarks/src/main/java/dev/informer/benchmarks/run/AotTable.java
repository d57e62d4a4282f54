/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.informer.benchmarks.client.Figure;

/**
 * Comparison of cold syncs with and without an AOT cache of the JVM, which a run of the
 * same sync has made, with one row per client, in Markdown. A JVM that cannot use the
 * cache does not start.
 *
 * @see <a href="https://openjdk.org/jeps/514">JEP 514</a>
 */
final class AotTable {

	private final Bench bench;

	AotTable(Bench bench) {
		this.bench = bench;
	}

	/**
	 * Measure and print.
	 */
	void print(PrintStream out) throws IOException, InterruptedException {
		Map<Contender, Path> caches = new LinkedHashMap<>();
		try {
			for (Contender client : this.bench.options().contenders()) {
				if (client.arguments().isEmpty() && (client.isInformer() || client.name().equals("floor"))) {
					caches.put(client, train(client));
				}
			}
			StringBuilder rows = new StringBuilder();
			for (Map.Entry<Contender, Path> entry : caches.entrySet()) {
				rows.append(row(entry.getKey(), entry.getValue()));
			}
			out.println();
			out.println("| client | synced after, s | with AOT cache | CPU, s | with AOT cache | cache, MB |");
			out.println("|---|---:|---:|---:|---:|---:|");
			out.print(rows);
		}
		finally {
			for (Path cache : caches.values()) {
				Files.deleteIfExists(cache);
			}
		}
	}

	/**
	 * Return the task of a sync without updates.
	 */
	private Task task(String... flags) {
		Task sync = Task.sync(this.bench.options()).updates(0);
		List<String> all = new ArrayList<>(sync.flags());
		all.addAll(List.of(flags));
		return sync.flags(all.toArray(String[]::new));
	}

	private Path train(Contender client) throws IOException, InterruptedException {
		Path cache = Files.createTempFile(client.name(), ".aot");
		Files.delete(cache);
		this.bench.run(client, task("-XX:AOTCacheOutput=" + cache));
		if (!Files.exists(cache)) {
			throw new IOException("No AOT cache was made. Use JDK 25 or later with --java, and run the jar of the"
					+ " benchmarks, because the cache requires a class path of jars");
		}
		return cache;
	}

	private String row(Contender client, Path cache) throws IOException, InterruptedException {
		Measurements without = new Measurements();
		Measurements with = new Measurements();
		for (int round = 0; round < this.bench.options().rounds(); round++) {
			without.add(this.bench.run(client, task()));
			with.add(this.bench.run(client, task("-XX:AOTCache=" + cache, "-XX:AOTMode=on")));
		}
		return String.format(Locale.ROOT, "| %s | %.2f | %.2f | %.2f | %.2f | %d |%n", client.name(),
				without.median(Figure.SYNC_SECONDS), with.median(Figure.SYNC_SECONDS),
				without.median(Figure.SYNC_CPU_SECONDS), with.median(Figure.SYNC_CPU_SECONDS), Files.size(cache) >> 20);
	}

}
