/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

import dev.informer.fault.Scenario.Trait;

/**
 * Scenarios with killed, frozen and restarted servers.
 */
final class ServerScenarios {

	private ServerScenarios() {
	}

	static List<Scenario> all() {
		return List.of(killed(200), killed(1_000), killed(5_000), killed(30_000), killed(90_000),
				// Not silent: no proxy keeps clients from a server that is not ready yet
				Scenario.of("apiserver-killed-3x", Bar.SHORT, ServerScenarios::killThreeTimes).with(Trait.NOTICED),
				frozen(5), frozen(70), frozen(90), Scenario.of("etcd-killed", Bar.SHORT, ServerScenarios::killEtcd));
	}

	private static Scenario killed(int millis) {
		String seconds = new BigDecimal(millis).movePointLeft(3).stripTrailingZeros().toPlainString();
		return Scenario
			.of("apiserver-killed-" + seconds + "s", (millis > 30_000) ? Bar.LONG : Bar.SHORT,
					(stage) -> kill(stage, Duration.ofMillis(millis)))
			.with(Trait.NOTICED, Trait.SILENT_SERVER);
	}

	/**
	 * Kill the API server and start it again. The proxy refuses connections until the
	 * server is ready, as an address without a process does.
	 */
	private static void kill(Stage stage, Duration outage) throws InterruptedException {
		stage.blind();
		stage.controlPlane().killApiServer();
		stage.proxy().refuse();
		stage.hold(outage);
		stage.controlPlane().startApiServer();
		stage.proxy().heal();
	}

	/**
	 * Kill the API server three times within two minutes, behind a proxy that accepts and
	 * resets connections while it is down.
	 */
	private static void killThreeTimes(Stage stage) throws Exception {
		for (int i = 0; i < 3; i++) {
			if (i > 0) {
				stage.recover();
				stage.hold(Duration.ofSeconds(25));
			}
			stage.blind();
			stage.controlPlane().killApiServer();
			stage.hold(Duration.ofSeconds(2));
			stage.controlPlane().startApiServer();
		}
	}

	private static Scenario frozen(int seconds) {
		return Scenario.of("apiserver-frozen-" + seconds + "s", (seconds > 30) ? Bar.LONG : Bar.SHORT, (stage) -> {
			stage.blind();
			stage.controlPlane().suspendApiServer();
			stage.hold(Duration.ofSeconds(seconds));
			stage.controlPlane().resumeApiServer();
		}).with(Trait.SILENT_SERVER);
	}

	private static void killEtcd(Stage stage) throws InterruptedException {
		stage.controlPlane().killEtcd();
		stage.hold(Duration.ofSeconds(5));
		stage.controlPlane().startEtcd();
	}

}
