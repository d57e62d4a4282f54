/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.fault.journal.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Table in Markdown with one row per fault.
 */
final class RoundTable {

	/** Cells by title. */
	private final Map<String, Function<List<RoundResult>, String>> columns = new LinkedHashMap<>();

	private RoundTable() {
		this.columns.put("rounds", (results) -> Integer.toString(results.size()));
	}

	/**
	 * Create the table for replicas that elect a leader.
	 */
	static RoundTable ofLeader() {
		RoundTable table = new RoundTable();
		table.columns.put("next terms", (results) -> Integer.toString(effects(results, 0).size()));
		table.addTimes("", 0);
		table.addReports();
		return table;
	}

	/**
	 * Create the table for replicas that divide objects.
	 */
	static RoundTable ofShard() {
		RoundTable table = new RoundTable();
		table.addTimes("", 0);
		table.columns.put("moved", (results) -> moved(results, 0));
		table.columns.put("caches", (results) -> caches(results, 0));
		table.addTimes("after its end: ", 1);
		table.columns.put("moved again", (results) -> moved(results, 1));
		table.columns.put("caches again", (results) -> caches(results, 1));
		table.addReports();
		return table;
	}

	private void addTimes(String prefix, int effect) {
		this.columns.put(prefix + "median", (results) -> time(results, effect, 0.5));
		this.columns.put(prefix + "worst", (results) -> time(results, effect, 1));
		this.columns.put(prefix + "bar", (results) -> bar(results, effect));
	}

	private void addReports() {
		this.columns.put("two after restore", (results) -> Long
			.toString(reports(results, ChildOracle.BEFORE_RESTORE) + reports(results, ChildOracle.BROUGHT_BACK)));
		this.columns.put("suspended", (results) -> Long
			.toString(reports(results, Verdict.SUSPENDED_WITHIN) + reports(results, Verdict.SUSPENDED_BEFORE)));
		this.columns.put("interrupt ignored", (results) -> Long.toString(reports(results, Verdict.IGNORED_INTERRUPT)));
	}

	/**
	 * Print the table.
	 * @param faults the names of the faults, in the order of the rows
	 */
	void print(List<String> faults, List<RoundResult> results, PrintStream out) {
		out.println("| fault | " + String.join(" | ", this.columns.keySet()) + " | oracle |");
		out.println("|---|" + "---:|".repeat(this.columns.size()) + "---|");
		for (String fault : faults) {
			List<RoundResult> rounds = results.stream().filter((result) -> result.fault().equals(fault)).toList();
			if (!rounds.isEmpty()) {
				List<String> cells = new ArrayList<>(List.of(fault));
				this.columns.values().forEach((column) -> cells.add(column.apply(rounds)));
				cells.add(kinds(rounds));
				out.println("| " + String.join(" | ", cells) + " |");
			}
		}
	}

	/**
	 * Return the effects in which others have taken over.
	 */
	private static List<Effect> effects(List<RoundResult> results, int index) {
		return results.stream()
			.filter((result) -> result.effects().size() > index)
			.map((result) -> result.effects().get(index))
			.filter(Effect::happened)
			.toList();
	}

	private static String time(List<RoundResult> results, int effect, double quantile) {
		List<Duration> times = effects(results, effect).stream().map(Effect::after).sorted().toList();
		return times.isEmpty() ? "-" : seconds(times.get((int) Math.min(times.size() - 1, times.size() * quantile)));
	}

	private static String moved(List<RoundResult> results, int effect) {
		List<Integer> moved = effects(results, effect).stream().map(Effect::moved).sorted().toList();
		return moved.isEmpty() ? "0" : Integer.toString(moved.get(moved.size() / 2));
	}

	/**
	 * Return the worst time after which the caches were those of the owners.
	 */
	private static String caches(List<RoundResult> results, int index) {
		return results.stream()
			.filter((result) -> result.effects().size() > index)
			.flatMap((result) -> Stream.ofNullable(result.effects().get(index).caches()))
			.max(Comparator.naturalOrder())
			.map(RoundTable::seconds)
			.orElse("-");
	}

	private static String bar(List<RoundResult> results, int effect) {
		List<Effect> effects = results.get(0).effects();
		@Nullable Duration bar = (effects.size() > effect) ? effects.get(effect).bar() : null;
		return (bar != null) ? "<= " + seconds(bar) : "none";
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
		long failures = results.stream().filter(RoundResult::isFailure).count();
		return (kinds.isEmpty() ? "ok" : "WRONG: " + kinds)
				+ ((failures > 0) ? "; SUITE FAILED in %d of %d".formatted(failures, results.size()) : "");
	}

}
