/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.proxy.FaultProxy;
import dev.informer.fault.server.Needs;
import dev.informer.fault.server.SecondServer;
import dev.informer.test.cluster.ControlPlane;

/**
 * Scenarios with resource versions that the server no longer has, or not yet.
 */
final class StorageScenarios {

	private static final Duration DOWN = Duration.ofSeconds(10);

	private StorageScenarios() {
	}

	static List<Scenario> all() {
		return List.of(
				Scenario.of("compaction", Bar.SHORT, StorageScenarios::compact)
					.with(Trait.NOTICED, Trait.SILENT_SERVER),
				Scenario.of("compaction-and-restart", Bar.LONG, StorageScenarios::compactAndRestart)
					.with(Trait.NOTICED, Trait.SILENT_SERVER),
				Scenario.of("etcd-restored", Bar.LONG, (stage) -> restore(stage, false))
					.with(Trait.NOTICED, Trait.SILENT_SERVER, Trait.ROLLBACK),
				Scenario.of("etcd-restored-and-overtaken", Bar.LONG, (stage) -> restore(stage, true))
					.with(Trait.NOTICED, Trait.SILENT_SERVER, Trait.ROLLBACK),
				failOver("reset", FaultProxy::reset), failOver("finished", FaultProxy::finish),
				Scenario.of("client-frozen-during-restore", Bar.LONG, StorageScenarios::restoreWhileFrozen)
					.with(Trait.FROZEN_CLIENT, Trait.ROLLBACK),
				Scenario.of("second-apiserver-lagging", Bar.SHORT, StorageScenarios::switchToLaggingServer)
					.with(Needs.DEFAULT.withSecondServer()),
				Scenario.of("second-apiserver-cold", Bar.SHORT, StorageScenarios::switchToColdServer)
					.with(Needs.DEFAULT.withSecondServer()));
	}

	private static void compact(Stage stage) throws InterruptedException {
		stage.blind();
		stage.proxy().refuse();
		stage.hold(DOWN);
		stage.controlPlane().compactHistory();
		stage.proxy().heal();
	}

	/**
	 * Compact etcd during a restart of the API server, whose caches then no longer
	 * contain the versions that the client has missed.
	 */
	private static void compactAndRestart(Stage stage) throws InterruptedException {
		stage.blind();
		stage.proxy().refuse();
		stage.hold(DOWN);
		stage.controlPlane().killApiServer();
		stage.controlPlane().compactHistory();
		stage.controlPlane().startApiServer();
		stage.proxy().heal();
	}

	/**
	 * Restore etcd after changes that the backup lacks. The workload does not touch the
	 * changed objects, so that only a comparison or a relist reveals them.
	 */
	private static void restore(Stage stage, boolean overtaken) throws Exception {
		backUp(stage);
		// A short time for the restored versions to pass the known one soon, a long one
		// so that they do not
		stage.hold(Duration.ofSeconds(overtaken ? 3 : 20));
		long known = stage.cluster().version();
		stage.blind();
		stage.proxy().refuse();
		stage.controlPlane().restoreEtcd();
		if (overtaken) {
			awaitOvertaken(stage, known);
		}
		stage.proxy().heal();
	}

	/**
	 * Back up etcd, and make changes that the backup lacks.
	 */
	private static void backUp(Stage stage) throws Exception {
		String namespace = "lost-" + System.nanoTime();
		stage.cluster().createNamespace(namespace, 3);
		stage.controlPlane().backUpEtcd();
		stage.cluster().changeNamespace(namespace);
	}

	/**
	 * Wait until new changes have passed the version that the client knows.
	 */
	private static void awaitOvertaken(Stage stage, long known) throws Exception {
		while (stage.cluster().version() < known + 100) {
			stage.hold(Duration.ofMillis(50));
		}
	}

	/**
	 * Switch the client, which has seen no failed request, to a standby whose versions
	 * are larger than those that the client knows.
	 */
	private static Scenario failOver(String name, Consumer<FaultProxy> cut) {
		return Scenario.of("failover-larger-versions-" + name, Bar.LONG, (stage) -> {
			backUp(stage);
			stage.hold(Duration.ofSeconds(3));
			long known;
			ControlPlane former;
			stage.session().workload().pause();
			try {
				known = stage.cluster().version();
				former = stage.cluster().failOver();
			}
			finally {
				stage.session().workload().resume();
			}
			awaitOvertaken(stage, known);
			stage.blind();
			stage.proxy().moveTo(stage.cluster().port());
			cut.accept(stage.proxy());
			former.close();
		}).with(Trait.ROLLBACK);
	}

	/**
	 * Restore etcd and pass the version of the client while the client is frozen, as a
	 * virtual machine that is paused. It sees a broken connection, and no failed request.
	 */
	private static void restoreWhileFrozen(Stage stage) throws Exception {
		backUp(stage);
		stage.hold(Duration.ofSeconds(3));
		long known = stage.cluster().version();
		stage.blind();
		stage.client().suspend();
		try {
			stage.controlPlane().restoreEtcd();
			awaitOvertaken(stage, known);
		}
		finally {
			stage.client().signal("CONT");
		}
	}

	/**
	 * Switch the client to an API server that has received nothing from etcd for some
	 * time.
	 */
	private static void switchToLaggingServer(Stage stage) throws Exception {
		SecondServer second = stage.cluster().second();
		second.etcdProxy().halfOpen(false, true);
		stage.hold(Duration.ofSeconds(5));
		stage.blind();
		stage.proxy().target(second.port());
		stage.proxy().reset();
		stage.hold(Duration.ofSeconds(5));
		second.etcdProxy().reset();
		stage.recover();
		switchBack(stage);
	}

	/**
	 * Switch the client to an API server whose caches are empty.
	 */
	private static void switchToColdServer(Stage stage) throws Exception {
		SecondServer second = stage.cluster().second();
		second.controlPlane().killApiServer();
		stage.blind();
		stage.proxy().refuse();
		second.controlPlane().startApiServer();
		stage.proxy().target(second.port());
		stage.proxy().listen();
		stage.recover();
		switchBack(stage);
	}

	private static void switchBack(Stage stage) {
		stage.blind();
		stage.proxy().heal();
		stage.proxy().reset();
	}

}
