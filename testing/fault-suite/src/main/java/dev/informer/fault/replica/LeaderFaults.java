/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.List;

import dev.informer.fault.client.ClockShift;

/**
 * All faults of the command {@code leader}, in the order of the table.
 */
final class LeaderFaults {

	private LeaderFaults() {
	}

	static List<Fault<LeaderStage>> all() {
		List<Fault<LeaderStage>> faults = new ArrayList<>(processes());
		faults.addAll(network());
		faults.addAll(WriteFaults.all());
		if (ClockShift.isAvailable()) {
			faults.addAll(clocks());
		}
		return faults;
	}

	private static List<Fault<LeaderStage>> processes() {
		return List.of(new Fault<>("leader-killed", Outcome.EXPIRED, (stage) -> {
			stage.target().kill();
			stage.awaitTakeover();
		}), new Fault<>("leader-terminated-idle", Outcome.RELEASED, LeaderStage::terminateIdleLeader),
				new Fault<>("leader-terminated-busy", Outcome.RELEASED, LeaderStage::terminateBusyLeader),
				ReplicaFaults.suspended("leader-suspended-5s", Outcome.ANY, 5),
				ReplicaFaults.suspended("leader-suspended-12s", Outcome.ANY, 12),
				ReplicaFaults.suspended("leader-suspended-20s", Outcome.EXPIRED, 20),
				ReplicaFaults.suspended("leader-suspended-40s", Outcome.EXPIRED, 40),
				ReplicaFaults.allSuspended("replicas-suspended-20s"),
				new Fault<>("standby-killed", Outcome.KEPT, (stage) -> {
					stage.others().get(0).kill();
					stage.hold(ReplicaFaults.PARTITION);
				}), new Fault<>("standby-suspended-20s", Outcome.KEPT, (stage) -> {
					ReplicaFaults.suspend(stage, stage.others().get(0), Outcome.KEPT, 20);
					stage.hold(5);
				}));
	}

	private static List<Fault<LeaderStage>> network() {
		return List.of(
				ReplicaFaults.partitioned("leader-partitioned-25s", Outcome.EXPIRED,
						(stage) -> List.of(stage.target())),
				ReplicaFaults.partitioned("two-partitioned-25s", Outcome.EXPIRED,
						(stage) -> List.of(stage.target(), stage.others().get(0))),
				ReplicaFaults.partitioned("standbys-partitioned-25s", Outcome.KEPT, LeaderStage::others),
				ReplicaFaults.refused("leader-refused-25s"), ReplicaFaults.halfOpen("leader-half-open", true, true),
				ReplicaFaults.halfOpen("leader-half-open-to-server", true, false),
				ReplicaFaults.halfOpen("leader-half-open-from-server", false, true),
				new Fault<>("standbys-half-open", Outcome.KEPT, (stage) -> {
					stage.others().forEach((standby) -> standby.proxy().halfOpen(true, true));
					stage.hold(ReplicaFaults.PARTITION);
				}), new Fault<>("standbys-half-open-leader-killed", Outcome.EXPIRED, (stage) -> {
					stage.others().forEach((standby) -> standby.proxy().halfOpen(true, true));
					stage.hold(ReplicaFaults.PARTITION);
					stage.fault();
					stage.target().kill();
					stage.awaitTakeover();
				}), ReplicaFaults.apiServerKilled(), ReplicaFaults.apiServerFrozen());
	}

	private static List<Fault<LeaderStage>> clocks() {
		return List.of(
				ReplicaFaults.clock("leader-clock-forward-1h", ReplicaFaults.JUMP, (stage) -> List.of(stage.target())),
				ReplicaFaults.clock("leader-clock-back-1h", ReplicaFaults.JUMP.negated(),
						(stage) -> List.of(stage.target())),
				ReplicaFaults.clock("standbys-clock-forward-1h", ReplicaFaults.JUMP, LeaderStage::others),
				ReplicaFaults.clock("standbys-clock-back-1h", ReplicaFaults.JUMP.negated(), LeaderStage::others),
				ReplicaFaults.suspendedWithJump("leader-suspended-20s-clock-forward-1h"));
	}

}
