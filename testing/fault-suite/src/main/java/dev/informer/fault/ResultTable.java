/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.informer.fault.journal.Violation;

/**
 * Table in Markdown with one row per scenario.
 */
final class ResultTable {

	private final Map<String, List<TrialResult>> rows = new LinkedHashMap<>();

	ResultTable(List<TrialResult> results) {
		results.forEach((result) -> this.rows.computeIfAbsent(result.scenario().name(), (scenario) -> new ArrayList<>())
			.add(result));
	}

	void print(PrintStream out) {
		out.println("| scenario | runs | changes per s | recovery, median | worst | bar | health | oracle |");
		out.println("|---|---:|---:|---:|---:|---:|---|---|");
		this.rows.forEach((scenario, results) -> out.println("| " + scenario + " |" + cells(results)));
	}

	private static String cells(List<TrialResult> all) {
		List<TrialResult> results = all.stream().filter((result) -> !result.isFailure()).toList();
		if (results.isEmpty()) {
			return " %s | - | - | - | - | - | - |".formatted(runs(all, results));
		}
		List<Duration> recoveries = results.stream().map(TrialResult::recovery).sorted().toList();
		return " %s | %d | %s | %s | %s | %s | %s |".formatted(runs(all, results),
				results.stream().mapToInt(TrialResult::rate).sorted().toArray()[results.size() / 2],
				seconds(recoveries.get(recoveries.size() / 2)), seconds(recoveries.get(recoveries.size() - 1)),
				bars(results), verdict(results.stream().filter((result) -> !result.health().isEmpty()).count()),
				kinds(results));
	}

	private static String runs(List<TrialResult> all, List<TrialResult> completed) {
		int failures = all.size() - completed.size();
		return completed.size() + ((failures > 0) ? ", SUITE FAILED in " + failures : "");
	}

	private static String bars(List<TrialResult> results) {
		long expired = results.stream().filter((result) -> result.bar() != result.scenario().bar()).count();
		String bars = "<= " + results.get(0).scenario().bar().maximum().toSeconds() + " s";
		if (expired > 0) {
			bars += ", " + Bar.LONG.maximum().toSeconds() + " s in " + expired + " with 410";
		}
		return bars + (results.stream().allMatch(TrialResult::isWithinBar) ? "" : " MISSED");
	}

	private static String seconds(Duration duration) {
		return (duration.compareTo(Stage.RECOVERY_TIMEOUT) >= 0) ? "> " + Stage.RECOVERY_TIMEOUT.toSeconds() + " s"
				: String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1000.0);
	}

	private static String kinds(List<TrialResult> results) {
		Map<String, Integer> runs = new TreeMap<>();
		for (TrialResult result : results) {
			result.oracle()
				.stream()
				.map(Violation::kind)
				.distinct()
				.forEach((kind) -> runs.merge(kind, 1, Integer::sum));
		}
		return runs.isEmpty() ? "ok"
				: runs.entrySet()
					.stream()
					.map((entry) -> entry.getKey() + " in " + entry.getValue())
					.collect(Collectors.joining("; "));
	}

	private static String verdict(long wrong) {
		return (wrong == 0) ? "ok" : "WRONG in " + wrong;
	}

}
