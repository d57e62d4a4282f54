/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.Violation;

/**
 * Table in Markdown with one row per fault, in the order of {@link LeaderFaults}.
 */
final class LeaderTable {

	private final Map<String, List<RoundResult>> rows = new LinkedHashMap<>();

	private final ReplicaDurations durations;

	LeaderTable(List<RoundResult> results, ReplicaDurations durations) {
		this.durations = durations;
		for (LeaderFault fault : LeaderFaults.all()) {
			List<RoundResult> rounds = results.stream()
				.filter((result) -> result.fault().name().equals(fault.name()))
				.toList();
			if (!rounds.isEmpty()) {
				this.rows.put(fault.name(), rounds);
			}
		}
	}

	void print(PrintStream out) {
		out.println("| fault | rounds | next terms | median | worst | bar | suspended | interrupt ignored | oracle |");
		out.println("|---|---:|---:|---:|---:|---:|---:|---:|---|");
		this.rows.forEach((name, results) -> out.println("| " + name + cells(results)));
	}

	private String cells(List<RoundResult> results) {
		List<Duration> times = results.stream()
			.filter((result) -> result.takeover().happened())
			.map((result) -> result.takeover().after())
			.sorted()
			.toList();
		Duration bar = results.get(0).fault().outcome().bar(this.durations);
		return " | %d | %d | %s | %s | %s | %d | %d | %s |".formatted(results.size(), times.size(),
				times.isEmpty() ? "-" : seconds(times.get(times.size() / 2)),
				times.isEmpty() ? "-" : seconds(times.get(times.size() - 1)),
				(bar != null) ? "<= " + seconds(bar) : "none",
				reports(results, LeaderOracle.SUSPENDED_WITHIN) + reports(results, LeaderOracle.SUSPENDED_BEFORE),
				reports(results, LeaderOracle.IGNORED_INTERRUPT), kinds(results));
	}

	private static long reports(List<RoundResult> results, String kind) {
		return results.stream().mapToLong((result) -> result.reports(kind)).sum();
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1000.0);
	}

	private static String kinds(List<RoundResult> results) {
		String kinds = results.stream()
			.flatMap((result) -> result.violations().stream().map(Violation::kind))
			.distinct()
			.sorted()
			.collect(Collectors.joining("; "));
		return kinds.isEmpty() ? "ok" : "WRONG: " + kinds;
	}

}
