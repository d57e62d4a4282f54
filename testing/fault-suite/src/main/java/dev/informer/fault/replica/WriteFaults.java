/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.proxy.BufferingProxy;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.SecondServer;

/**
 * Faults of what a reconciler reads and writes, of replicas that elect a leader or divide
 * objects. Durations are those for the default lease duration.
 */
final class WriteFaults {

	/** Seconds in which something is denied or missing. */
	private static final int DENIED = 20;

	/** Seconds of a fault before and after its turn. */
	private static final int MARGIN = 5;

	private static final String CREATE = "POST " + WatchedResource.SECRETS.path(Cluster.GADGETS);

	private WriteFaults() {
	}

	static <S extends ReplicaStage> List<Fault<S>> all() {
		return List.of(new Fault<>("etcd-restored", Outcome.ANY, (stage) -> {
			stage.backUp();
			stage.hold(MARGIN);
			stage.restore();
			stage.hold(MARGIN);
		}), new Fault<>("etcd-restored-watches-late", Outcome.ANY, (stage) -> {
			stage.intercept(stage.target());
			stage.hold(MARGIN);
			stage.backUp();
			stage.hold(MARGIN);
			stage.restore();
			stage.hold(DENIED);
		}), new Fault<>("etcd-restored-suspended", Outcome.ANY, (stage) -> {
			stage.backUp();
			stage.hold(MARGIN);
			stage.target().suspend();
			stage.restore();
			stage.target().resume();
			stage.hold(MARGIN);
		}), new Fault<>("second-apiserver-lagging", Outcome.ANY, WriteFaults::switchToLaggingServer, true),
				answersLost("answers-lost", Duration.ZERO), answersLost("writes-late-5s", Duration.ofSeconds(5)),
				new Fault<>("namespace-terminating", Outcome.KEPT, (stage) -> {
					stage.cluster().terminateGadgets();
					stage.hold(MARGIN);
					stage.cluster().recreateGadgets();
				}), denied("quota-denies", Cluster::denyByQuota, Cluster::allowByQuota),
				denied("policy-denies", Cluster::denyByPolicy, Cluster::allowByPolicy),
				new Fault<>("writes-revoked", Outcome.KEPT, (stage) -> {
					for (Replica replica : stage.replicas()) {
						replica.denyWrites();
					}
					stage.hold(DENIED);
				}),
				denied("definition-recreated", (cluster) -> cluster.deleteCustomResource(WatchedResource.GADGETS),
						(cluster) -> cluster.customResource(WatchedResource.GADGETS, true, "v1")),
				denied("definition-other-version",
						(cluster) -> cluster.customResource(WatchedResource.GADGETS, false, "v2"),
						(cluster) -> cluster.customResource(WatchedResource.GADGETS, true, "v1")));
	}

	/**
	 * Lose the answers to the requests of a replica that create something, and carry the
	 * requests out after its connection was reset. Its watches are late as well.
	 */
	private static <S extends ReplicaStage> Fault<S> answersLost(String name, Duration delay) {
		return new Fault<>(name, Outcome.ANY, (stage) -> {
			BufferingProxy proxy = stage.intercept(stage.target());
			proxy.delay(CREATE, delay);
			try {
				stage.hold(DENIED);
				// a replica has few of the gadgets, and creates nothing for seconds
				stage.await("an answer is lost", () -> proxy.delayed() > 0);
			}
			finally {
				proxy.endDelay();
			}
			stage.hold(MARGIN);
		});
	}

	private static <S extends ReplicaStage> Fault<S> denied(String name, Change begin, Change end) {
		return new Fault<>(name, Outcome.KEPT, (stage) -> {
			try {
				begin.apply(stage.cluster());
				stage.hold(DENIED);
			}
			finally {
				end.apply(stage.cluster());
			}
		});
	}

	/**
	 * Switch a replica to an API server that has received nothing from etcd for some
	 * time.
	 */
	private static void switchToLaggingServer(ReplicaStage stage) throws Exception {
		SecondServer second = stage.cluster().second();
		// one that runs may follow an etcd that was restored since
		second.controlPlane().killApiServer();
		second.controlPlane().startApiServer();
		try {
			stage.hold(MARGIN);
			second.etcdProxy().halfOpen(false, true);
			stage.hold(2 * MARGIN);
			stage.faultAt(System.nanoTime());
			stage.target().proxy().target(second.port());
			stage.target().proxy().reset();
			stage.hold(MARGIN);
			second.etcdProxy().reset();
			stage.hold(MARGIN);
			stage.target().proxy().heal();
			stage.target().proxy().reset();
			stage.hold(MARGIN);
		}
		finally {
			second.controlPlane().killApiServer();
		}
	}

	private interface Change {

		void apply(Cluster cluster) throws IOException, InterruptedException;

	}

}
