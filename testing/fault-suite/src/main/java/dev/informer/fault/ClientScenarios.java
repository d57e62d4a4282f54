/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.client.ClockShift;
import dev.informer.fault.server.Needs;

/**
 * Scenarios with a client that is frozen, short of memory, failing or terminated.
 */
final class ClientScenarios {

	/** Megabytes. The journal application uses 25 to 30 MB after a collection. */
	private static final int SMALL_HEAP = 40;

	private static final int LARGE_OBJECTS = 8;

	private static final int LARGE_SIZE = 1_000_000;

	private ClientScenarios() {
	}

	static List<Scenario> all() {
		List<Scenario> scenarios = new ArrayList<>(List.of(
				Scenario.of("client-frozen-60s", Bar.LONG, ClientScenarios::freeze).with(Trait.FROZEN_CLIENT),
				Scenario.of("heap-just-above-need", Bar.LONG, ClientScenarios::relistTwice)
					.with(Needs.DEFAULT.withHeap(SMALL_HEAP))
					.with(Trait.NOTICED, Trait.SILENT_SERVER),
				Scenario.of("out-of-memory-error-in-handler", Bar.SHORT, ClientScenarios::throwErrors),
				Scenario.of("objects-of-1MB", Bar.SHORT, ClientScenarios::writeLargeObjects),
				Scenario.of("sigterm-under-load", Bar.LONG, ClientScenarios::terminate).with(Trait.ENDS_CLIENT)));
		if (ClockShift.isAvailable()) {
			scenarios.add(Scenario.of("clock-jumps", Bar.SHORT, ClientScenarios::shiftClock)
				.with(Needs.DEFAULT.withShiftedClock())
				.with(Trait.NOTICED, Trait.SILENT_SERVER));
		}
		return scenarios;
	}

	private static void freeze(Stage stage) throws Exception {
		stage.blind();
		stage.client().signal("STOP");
		stage.hold(Duration.ofSeconds(60));
		stage.client().signal("CONT");
	}

	private static void relistTwice(Stage stage) throws Exception {
		relist(stage);
		stage.recover();
		stage.hold(Duration.ofSeconds(5));
		relist(stage);
	}

	/**
	 * Let all informers list at the same time.
	 */
	static void relist(Stage stage) {
		stage.blind();
		stage.controlPlane().killApiServer();
		stage.proxy().refuse();
		stage.controlPlane().compactHistory();
		stage.controlPlane().startApiServer();
		stage.proxy().heal();
	}

	private static void throwErrors(Stage stage) throws Exception {
		stage.client().throwErrors(50);
		stage.hold(Duration.ofSeconds(5));
	}

	private static void writeLargeObjects(Stage stage) throws Exception {
		for (int round = 0; round < 3; round++) {
			stage.cluster().writeLargeObjects(LARGE_OBJECTS, LARGE_SIZE, round);
			stage.proxy().reset();
			stage.recover();
		}
		stage.cluster().deleteLargeObjects(LARGE_OBJECTS);
	}

	private static void terminate(Stage stage) throws Exception {
		stage.hold(Duration.ofSeconds(5));
		stage.recovered(stage.client().terminate());
	}

	/**
	 * Shift the clock of the client during short outages, forward and back.
	 */
	private static void shiftClock(Stage stage) throws Exception {
		List<Duration> shifts = List.of(Duration.ofHours(2), Duration.ofMinutes(-30), Duration.ZERO);
		for (Duration shift : shifts) {
			if (!shift.equals(shifts.get(0))) {
				stage.recover();
				stage.hold(Duration.ofSeconds(8));
			}
			stage.blind();
			stage.proxy().refuse();
			stage.hold(Duration.ofSeconds(3));
			stage.session().shiftClock(shift);
			stage.hold(Duration.ofSeconds(5));
			stage.proxy().heal();
		}
	}

}
