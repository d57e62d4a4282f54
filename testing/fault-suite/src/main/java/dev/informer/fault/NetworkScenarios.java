/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.List;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.proxy.FaultProxy.Accepting;
import dev.informer.fault.proxy.Shape;

/**
 * Scenarios with faults of the network between client and API server.
 */
final class NetworkScenarios {

	private static final Duration SHAPED = Duration.ofSeconds(30);

	private NetworkScenarios() {
	}

	static List<Scenario> all() {
		return List.of(Scenario.of("connections-reset", Bar.SHORT, (stage) -> {
			stage.blind();
			stage.proxy().reset();
		}), Scenario.of("connections-finished", Bar.SHORT, (stage) -> {
			stage.blind();
			stage.proxy().finish();
		}), halfOpen("half-open", true), halfOpen("half-open-from-server", false),
				Scenario.of("half-open-to-server", Bar.SILENT, NetworkScenarios::halfOpenToServer),
				Scenario.of("accepted-but-silent-15s", Bar.SILENT, NetworkScenarios::acceptSilently)
					.with(Trait.NOTICED, Trait.SILENT_SERVER),
				shaped("bandwidth-20KB", Shape.bandwidth(20_000)),
				shaped("latency-500ms", Shape.latency(Duration.ofMillis(500))),
				Scenario.of("cut-after-each-nth-byte", Bar.SHORT, NetworkScenarios::cut),
				shaped("corrupted-bytes", Shape.corruptAfter(200_000)));
	}

	private static Scenario halfOpen(String name, boolean bothWays) {
		return Scenario.of(name, Bar.SILENT, (stage) -> {
			stage.blind();
			stage.proxy().halfOpen(bothWays, true);
		});
	}

	/**
	 * Discard what the client sends. It receives events until one of the two ends misses
	 * the answers to its pings.
	 */
	private static void halfOpenToServer(Stage stage) throws InterruptedException {
		stage.proxy().halfOpen(true, false);
		stage.hold(Duration.ofSeconds(45));
	}

	private static void acceptSilently(Stage stage) throws InterruptedException {
		stage.blind();
		stage.proxy().accepting(Accepting.SILENT);
		stage.proxy().reset();
		stage.hold(Duration.ofSeconds(15));
		stage.proxy().heal();
	}

	private static Scenario shaped(String name, Shape shape) {
		return Scenario.of(name, Bar.SHORT, (stage) -> {
			stage.proxy().shape(shape, shape);
			stage.hold(SHAPED);
			stage.proxy().heal();
		});
	}

	private static void cut(Stage stage) throws InterruptedException {
		for (long bytes = 1; bytes < 500_000; bytes = bytes * 3 / 2 + 1) {
			stage.proxy().shape(Shape.HEALTHY, Shape.cutAfter(bytes));
			stage.proxy().reset();
			stage.hold(Duration.ofSeconds(1));
		}
		stage.proxy().heal();
		stage.proxy().reset();
	}

}
