/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Faults of replicas that elect a leader or divide slots. Durations are those for the
 * default lease duration.
 */
final class ReplicaFaults {

	/** Seconds of a partition, longer than the lease duration. */
	static final int PARTITION = 25;

	static final Duration JUMP = Duration.ofHours(1);

	/** Seconds after which the effects of a fault that has ended can be judged. */
	private static final int AFTERMATH = 5;

	private ReplicaFaults() {
	}

	static <S extends ReplicaStage> Fault<S> suspended(String name, Outcome outcome, int seconds) {
		return new Fault<>(name, outcome, (stage) -> {
			suspend(stage, stage.target(), outcome, seconds);
			stage.hold(AFTERMATH);
		});
	}

	/**
	 * Suspend a replica, and resume it once others have taken over, if they should.
	 */
	static void suspend(ReplicaStage stage, Replica replica, Outcome outcome, int seconds) throws Exception {
		replica.suspend();
		stage.hold(seconds);
		if (outcome.requiresTakeover()) {
			stage.awaitTakeover();
		}
		replica.resume();
	}

	/**
	 * Suspend all replicas, as on a machine that has no processor time for them. The
	 * takeover is awaited from the time at which they continue.
	 */
	static <S extends ReplicaStage> Fault<S> allSuspended(String name) {
		return new Fault<>(name, Outcome.EXPIRED, (stage) -> {
			for (Replica replica : stage.replicas()) {
				replica.suspend();
			}
			stage.hold(20);
			stage.fault();
			for (Replica replica : stage.replicas()) {
				replica.resume();
			}
			stage.awaitTakeover();
			stage.hold(AFTERMATH);
		});
	}

	static <S extends ReplicaStage> Fault<S> partitioned(String name, Outcome outcome,
			Function<S, List<Replica>> selection) {
		return new Fault<>(name, outcome, (stage) -> {
			selection.apply(stage).forEach(Replica::partition);
			awaitPartition(stage, outcome);
		});
	}

	static <S extends ReplicaStage> Fault<S> refused(String name) {
		return new Fault<>(name, Outcome.EXPIRED, (stage) -> {
			stage.target().refuse();
			awaitPartition(stage, Outcome.EXPIRED);
		});
	}

	private static void awaitPartition(ReplicaStage stage, Outcome outcome) throws Exception {
		stage.hold(PARTITION);
		if (outcome.requiresTakeover()) {
			stage.awaitTakeover();
		}
	}

	/**
	 * Let the bytes of existing connections vanish. New connections work, so that the
	 * replica can keep its Lease.
	 */
	static <S extends ReplicaStage> Fault<S> halfOpen(String name, boolean up, boolean down) {
		return new Fault<>(name, Outcome.ANY, (stage) -> {
			stage.target().proxy().halfOpen(up, down);
			stage.hold(PARTITION);
		});
	}

	static <S extends ReplicaStage> Fault<S> apiServerKilled() {
		return new Fault<>("apiserver-killed-20s", Outcome.EXPIRED, (stage) -> {
			stage.controlPlane().killApiServer();
			stage.hold(20);
			stage.controlPlane().startApiServer();
			stage.fault();
			stage.awaitTakeover();
		});
	}

	static <S extends ReplicaStage> Fault<S> apiServerFrozen() {
		return new Fault<>("apiserver-frozen-20s", Outcome.EXPIRED, (stage) -> {
			stage.controlPlane().suspendApiServer();
			stage.hold(20);
			stage.fault();
			stage.controlPlane().resumeApiServer();
			stage.awaitTakeover();
		});
	}

	static <S extends ReplicaStage> Fault<S> clock(String name, Duration jump, Function<S, List<Replica>> selection) {
		return new Fault<>(name, Outcome.KEPT, (stage) -> {
			for (Replica replica : selection.apply(stage)) {
				replica.shiftClock(jump);
			}
			// longer than the lease duration
			stage.hold(20);
		});
	}

	/**
	 * Suspend a replica while its clock jumps, as a virtual machine.
	 */
	static <S extends ReplicaStage> Fault<S> suspendedWithJump(String name) {
		return new Fault<>(name, Outcome.EXPIRED, (stage) -> {
			Replica replica = stage.target();
			replica.suspend();
			replica.shiftClock(JUMP);
			stage.hold(20);
			stage.awaitTakeover();
			replica.resume();
			// longer than the lease duration
			stage.hold(20);
		});
	}

}
