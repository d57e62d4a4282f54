/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.informer.fault.client.ClockShift;

/**
 * All faults of the command {@code shard}, in the order of the table.
 */
final class ShardFaults {

	private ShardFaults() {
	}

	static List<Fault<ShardStage>> all() {
		List<Fault<ShardStage>> faults = new ArrayList<>(processes());
		faults.addAll(network());
		faults.addAll(WriteFaults.all());
		faults.addAll(leases());
		if (ClockShift.isAvailable()) {
			faults.add(ReplicaFaults.clock("replica-clock-forward-1h", ReplicaFaults.JUMP,
					(stage) -> List.of(stage.target())));
			faults.add(ReplicaFaults.clock("replica-clock-back-1h", ReplicaFaults.JUMP.negated(),
					(stage) -> List.of(stage.target())));
			faults.add(ReplicaFaults.suspendedWithJump("replica-suspended-20s-clock-forward-1h"));
		}
		return faults;
	}

	private static List<Fault<ShardStage>> processes() {
		return List.of(new Fault<>("replica-joins", Outcome.RELEASED, ShardStage::join),
				new Fault<>("replica-leaves", Outcome.RELEASED, ShardStage::leave),
				new Fault<>("replica-killed", Outcome.EXPIRED, (stage) -> {
					stage.target().kill();
					stage.awaitTakeover();
				}), ReplicaFaults.suspended("replica-suspended-5s", Outcome.ANY, 5),
				ReplicaFaults.suspended("replica-suspended-12s", Outcome.ANY, 12),
				ReplicaFaults.suspended("replica-suspended-20s", Outcome.EXPIRED, 20),
				ReplicaFaults.allSuspended("replicas-suspended-20s"));
	}

	private static List<Fault<ShardStage>> leases() {
		return List.of(new Fault<>("member-label-removed", Outcome.ANY, (stage) -> removeFromLease(stage, "labels")),
				new Fault<>("member-annotation-removed", Outcome.ANY, (stage) -> removeFromLease(stage, "annotations")),
				new Fault<>("member-watch-denied", Outcome.EXPIRED, ShardFaults::denyWatch));
	}

	/**
	 * Remove what others need to see the Lease of a replica and its slots, as a policy or
	 * a user may do.
	 */
	private static void removeFromLease(ShardStage stage, String field) throws Exception {
		String member = Objects.requireNonNull(stage.target().log().holder(), "no invocation");
		String removed = stage.cluster().removeFromLease(member, field);
		stage.hold(ReplicaFaults.PARTITION);
		stage.awaitTakeover();
		stage.cluster().restoreToLease(member, field, removed);
	}

	/**
	 * Deny a replica to watch Leases, and end its open watch once the server knows. Then
	 * kill another one, whose end the first one has to notice or must not own slots.
	 */
	private static void denyWatch(ShardStage stage) throws Exception {
		stage.target().denyLeaseWatch();
		stage.hold(2);
		stage.target().proxy().reset();
		stage.hold(ReplicaFaults.PARTITION);
		stage.fault();
		stage.others().get(0).kill();
		stage.hold(ReplicaFaults.PARTITION);
		stage.awaitTakeover();
	}

	private static List<Fault<ShardStage>> network() {
		return List.of(
				ReplicaFaults.partitioned("replica-partitioned-25s", Outcome.EXPIRED,
						(stage) -> List.of(stage.target())),
				ReplicaFaults.partitioned("two-partitioned-25s", Outcome.EXPIRED, ShardStage::others),
				ReplicaFaults.refused("replica-refused-25s"), ReplicaFaults.halfOpen("replica-half-open", true, true),
				ReplicaFaults.halfOpen("replica-half-open-to-server", true, false),
				ReplicaFaults.halfOpen("replica-half-open-from-server", false, true), ReplicaFaults.apiServerKilled(),
				ReplicaFaults.apiServerFrozen());
	}

}
