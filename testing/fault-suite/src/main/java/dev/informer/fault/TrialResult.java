/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.List;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.journal.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Result of one run of a scenario.
 *
 * @param scenario the scenario
 * @param recovery the time of the recovery
 * @param rate the changes per second
 * @param events the number of delivered events
 * @param health the violations of health, phases and metrics
 * @param oracle the violations of the cache and the handlers
 * @param settled whether cache and handlers agreed with the server at the end
 * @param expired whether the client relisted after a 410
 * @param failure the reason why the suite could not judge this run; {@code null} if it
 * could
 */
record TrialResult(Scenario scenario, Duration recovery, int rate, long events, List<String> health,
		List<Violation> oracle, boolean settled, boolean expired, @Nullable String failure) {

	/**
	 * Return the bar of this run, which is that for a 410 if there was one.
	 */
	Bar bar() {
		return (this.expired && this.scenario.bar() == Bar.SHORT) ? Bar.LONG : this.scenario.bar();
	}

	boolean isWithinBar() {
		return this.recovery.compareTo(bar().maximum()) <= 0;
	}

	/**
	 * Return the result of a scenario that could not be completed.
	 * @param reason the reason, which is a failure of the suite unless it is one of the
	 * client
	 * @param ended whether the client has ended
	 */
	static TrialResult incomplete(Scenario scenario, Exception reason, boolean ended) {
		boolean own = !ended && !(reason instanceof ClientException);
		return new TrialResult(scenario, Stage.RECOVERY_TIMEOUT, 0, 0, List.of(),
				own ? List.of() : List.of(new Violation("client failed", reason.toString())), false, false,
				own ? reason.toString() : null);
	}

	TrialResult withFailure(@Nullable String reason) {
		return new TrialResult(this.scenario, this.recovery, this.rate, this.events, this.health, this.oracle,
				this.settled, this.expired, reason);
	}

	/**
	 * Return whether nothing is known about the client.
	 */
	boolean isFailure() {
		return this.failure != null;
	}

	boolean isBreach() {
		return !isFailure() && (!isWithinBar() || !this.health.isEmpty() || !this.oracle.isEmpty());
	}

}
