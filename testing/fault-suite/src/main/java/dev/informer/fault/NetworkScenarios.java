/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.List;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.client.HostsFile;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.proxy.FaultProxy.Accepting;
import dev.informer.fault.proxy.Shape;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Needs;
import dev.informer.fault.server.Needs.Route;

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
				shaped("corrupted-bytes", Shape.corruptAfter(200_000)),
				Scenario.of("proxy-buffers", Bar.SHORT, NetworkScenarios::buffer),
				Scenario.of("dns-46s", Bar.LOOKUP, NetworkScenarios::failLookups)
					.with(Needs.DEFAULT.withRoute(Route.HOST_NAME))
					.with(Trait.NOTICED, Trait.SILENT_SERVER));
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

	/**
	 * Put a proxy that buffers responses before the server. Few changes are on their way,
	 * so that they wait for its maximum time.
	 */
	private static void buffer(Stage stage) throws Exception {
		stage.session().workload().pause();
		try {
			stage.blind();
			stage.proxy().target(stage.session().bufferingProxy().port());
			stage.proxy().reset();
			stage.hold(Duration.ofSeconds(5));
			stage.reconnected();
			for (int change = 0; change < 3; change++) {
				ObjectStates marker = stage.cluster().mark();
				stage.hold(Duration.ofSeconds(3));
				if (stage.client().objects(Cluster.MARKER).equals(marker)) {
					throw new IllegalStateException("The proxy does not buffer");
				}
				stage.hold(Session.BUFFERED);
				if (!stage.client().objects(Cluster.MARKER).equals(marker)) {
					throw new IllegalStateException("The proxy lets no change pass");
				}
			}
		}
		finally {
			stage.session().workload().resume();
		}
		stage.blind();
		stage.proxy().heal();
		stage.proxy().reset();
	}

	/**
	 * Cut the connections while the name of the server does not resolve, once Java no
	 * longer uses the result of the last lookup.
	 */
	private static void failLookups(Stage stage) throws Exception {
		stage.session().hosts().resolve(false);
		stage.hold(Duration.ofSeconds(HostsFile.CACHE_SECONDS + 1));
		stage.blind();
		stage.proxy().reset();
		stage.hold(Duration.ofSeconds(46));
		stage.session().hosts().resolve(true);
	}

}
