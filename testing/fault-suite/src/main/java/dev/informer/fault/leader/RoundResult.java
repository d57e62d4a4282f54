/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.leader.LeaderStage.Takeover;

/**
 * Result of one round.
 *
 * @param fault the fault
 * @param takeover the begin of another term
 * @param violations the violations
 * @param reports the exceptions that are no violations
 */
record RoundResult(LeaderFault fault, Takeover takeover, List<Violation> violations, List<Violation> reports) {

	/**
	 * Create the result of a round, with the violations of its expected outcome.
	 */
	static RoundResult of(LeaderFault fault, Takeover takeover, ReplicaDurations durations, List<Violation> others,
			List<Violation> reports) {
		List<Violation> violations = new ArrayList<>(others);
		Duration bar = fault.outcome().bar(durations);
		if (bar == null && takeover.happened()) {
			violations.add(new Violation("leader lost its term", fault.name()));
		}
		else if (bar != null && takeover.happened() && takeover.after().compareTo(bar) > 0) {
			violations.add(new Violation("took over too late",
					"after %d ms, expected at most %d ms".formatted(takeover.after().toMillis(), bar.toMillis())));
		}
		else if (!takeover.happened() && fault.outcome().requiresTakeover()) {
			violations.add(new Violation("no replica took over", fault.name()));
		}
		return new RoundResult(fault, takeover, violations, reports);
	}

	/**
	 * Return the result of a round that could not be completed.
	 */
	static RoundResult failed(LeaderFault fault, Exception reason) {
		return new RoundResult(fault, new Takeover(false, Duration.ZERO),
				List.of(new Violation("round failed", reason.toString())), List.of());
	}

	long reports(String kind) {
		return this.reports.stream().filter((report) -> report.kind().equals(kind)).count();
	}

}
