/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.List;

import dev.informer.fault.client.ClientType;

/**
 * Result of one run of a scenario.
 *
 * @param client the client
 * @param scenario the scenario
 * @param recovery the time of the recovery
 * @param rate the changes per second
 * @param events the number of delivered events
 * @param health the violations of health, phases and metrics
 * @param oracle the violations of the cache and the handlers
 */
record TrialResult(ClientType client, Scenario scenario, Duration recovery, int rate, long events, List<String> health,
		List<String> oracle) {

	boolean isWithinBar() {
		return this.recovery.compareTo(this.scenario.bar().maximum()) <= 0;
	}

	boolean isBreach() {
		return !isWithinBar() || !this.health.isEmpty() || !this.oracle.isEmpty();
	}

}
