/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.informer.fault.journal.Violation;

/**
 * Result of one round.
 *
 * @param fault the name of the fault
 * @param effects the effects of the fault and of its end
 * @param violations the violations
 * @param reports the exceptions that are no violations
 */
record RoundResult(String fault, List<Effect> effects, List<Violation> violations, List<Violation> reports) {

	/**
	 * Create the result of a round, with the violations of its effects.
	 */
	static RoundResult of(String fault, List<Effect> effects, List<Violation> others, List<Violation> reports) {
		List<Violation> violations = new ArrayList<>(others);
		effects.stream().map(Effect::violation).flatMap(Optional::stream).forEach(violations::add);
		return new RoundResult(fault, effects, violations, reports);
	}

	/**
	 * Return the result of a round that could not be completed.
	 */
	static RoundResult failed(String fault, Exception reason) {
		return new RoundResult(fault, List.of(), List.of(new Violation("round failed", reason.toString())), List.of());
	}

	long reports(String kind) {
		return this.reports.stream().filter((report) -> report.kind().equals(kind)).count();
	}

}
