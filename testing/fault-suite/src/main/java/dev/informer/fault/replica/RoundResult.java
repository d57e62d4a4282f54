/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.journal.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Result of one round.
 *
 * @param fault the name of the fault
 * @param effects the effects of the fault and of its end
 * @param violations the violations
 * @param reports the exceptions that are no violations
 * @param failure the reason why the suite could not complete the round; {@code null} if
 * it could
 */
record RoundResult(String fault, List<Effect> effects, List<Violation> violations, List<Violation> reports,
		@Nullable String failure) {

	/**
	 * Create the result of a round, with the violations of its effects.
	 */
	static RoundResult of(String fault, List<Effect> effects, List<Violation> others, List<Violation> reports) {
		List<Violation> violations = new ArrayList<>(others);
		effects.stream().map(Effect::violation).flatMap(Optional::stream).forEach(violations::add);
		return new RoundResult(fault, effects, violations, reports, null);
	}

	/**
	 * Return the result of a round that could not be completed.
	 */
	static RoundResult failed(String fault, Exception reason) {
		if (reason instanceof ClientException) {
			return of(fault, List.of(), List.of(new Violation("round failed", reason.toString())), List.of());
		}
		return new RoundResult(fault, List.of(), List.of(), List.of(), reason.toString());
	}

	/**
	 * Return whether nothing is known because the suite failed.
	 */
	boolean isFailure() {
		return this.failure != null;
	}

	boolean isBreach() {
		return !this.violations.isEmpty();
	}

	long reports(String kind) {
		return this.reports.stream().filter((report) -> report.kind().equals(kind)).count();
	}

}
