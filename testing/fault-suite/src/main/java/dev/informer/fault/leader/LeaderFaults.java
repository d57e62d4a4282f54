/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.informer.fault.client.ClockShift;
import dev.informer.fault.leader.LeaderFault.Outcome;

/**
 * All faults, in the order of the table. Durations are those for the default lease
 * duration.
 */
final class LeaderFaults {

	/** Seconds of a partition, longer than the lease duration. */
	private static final int PARTITION = 25;

	/** Seconds after which the effects of a fault that has ended can be judged. */
	private static final int AFTERMATH = 5;

	private static final Duration JUMP = Duration.ofHours(1);

	private LeaderFaults() {
	}

	static List<LeaderFault> all() {
		List<LeaderFault> faults = new ArrayList<>(processes());
		faults.addAll(network());
		if (ClockShift.isAvailable()) {
			faults.addAll(clocks());
		}
		return faults;
	}

	/**
	 * Return the faults with one of the names. A word that is no name stands for all
	 * names that begin with it.
	 * @param words the words; empty for all faults
	 */
	static List<LeaderFault> matching(List<String> words) {
		List<LeaderFault> all = all();
		if (words.isEmpty()) {
			return all;
		}
		Set<String> selected = new HashSet<>();
		for (String word : words) {
			List<String> names = all.stream().map(LeaderFault::name).filter((name) -> name.startsWith(word)).toList();
			if (names.isEmpty()) {
				throw new IllegalArgumentException("Unknown fault '" + word + "'. Use one of " + all);
			}
			selected.addAll(names.contains(word) ? List.of(word) : names);
		}
		return all.stream().filter((fault) -> selected.contains(fault.name())).toList();
	}

	private static List<LeaderFault> processes() {
		return List.of(new LeaderFault("leader-killed", Outcome.EXPIRED, (stage) -> {
			stage.leader().kill();
			stage.awaitTakeover();
		}), new LeaderFault("leader-terminated-idle", Outcome.RELEASED, LeaderStage::terminateIdleLeader),
				new LeaderFault("leader-terminated-busy", Outcome.RELEASED, LeaderStage::terminateBusyLeader),
				suspended("leader-suspended-5s", Outcome.ANY, 5), suspended("leader-suspended-12s", Outcome.ANY, 12),
				suspended("leader-suspended-20s", Outcome.EXPIRED, 20),
				suspended("leader-suspended-40s", Outcome.EXPIRED, 40),
				new LeaderFault("replicas-suspended-20s", Outcome.EXPIRED, LeaderFaults::suspendAll),
				new LeaderFault("standby-killed", Outcome.KEPT, (stage) -> {
					stage.standbys().get(0).kill();
					stage.hold(PARTITION);
				}), new LeaderFault("standby-suspended-20s", Outcome.KEPT, (stage) -> {
					Replica standby = stage.standbys().get(0);
					standby.suspend();
					stage.hold(20);
					standby.resume();
					stage.hold(AFTERMATH);
				}));
	}

	private static LeaderFault suspended(String name, Outcome outcome, int seconds) {
		return new LeaderFault(name, outcome, (stage) -> {
			stage.leader().suspend();
			stage.hold(seconds);
			stage.leader().resume();
			stage.hold(AFTERMATH);
		});
	}

	/**
	 * Suspend all replicas, as on a machine that has no processor time for them. The next
	 * term is awaited from the time at which they continue.
	 */
	private static void suspendAll(LeaderStage stage) throws Exception {
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
	}

	private static List<LeaderFault> network() {
		return List.of(partitioned("leader-partitioned-25s", Outcome.EXPIRED, (stage) -> List.of(stage.leader())),
				partitioned("two-partitioned-25s", Outcome.EXPIRED,
						(stage) -> List.of(stage.leader(), stage.standbys().get(0))),
				partitioned("standbys-partitioned-25s", Outcome.KEPT, LeaderStage::standbys),
				new LeaderFault("leader-refused-25s", Outcome.EXPIRED, (stage) -> {
					stage.leader().proxy().refuse();
					stage.hold(PARTITION);
				}), halfOpen("leader-half-open", true, true), halfOpen("leader-half-open-to-server", true, false),
				halfOpen("leader-half-open-from-server", false, true),
				new LeaderFault("standbys-half-open", Outcome.KEPT, (stage) -> {
					stage.standbys().forEach((standby) -> standby.proxy().halfOpen(true, true));
					stage.hold(PARTITION);
				}), new LeaderFault("apiserver-killed-20s", Outcome.EXPIRED, (stage) -> {
					stage.controlPlane().killApiServer();
					stage.hold(20);
					stage.controlPlane().startApiServer();
					stage.fault();
					stage.awaitTakeover();
				}), new LeaderFault("apiserver-frozen-20s", Outcome.EXPIRED, (stage) -> {
					stage.controlPlane().suspendApiServer();
					stage.hold(20);
					stage.fault();
					stage.controlPlane().resumeApiServer();
					stage.awaitTakeover();
				}));
	}

	private static LeaderFault partitioned(String name, Outcome outcome, Selection selection) {
		return new LeaderFault(name, outcome, (stage) -> {
			selection.of(stage).forEach(Replica::partition);
			stage.hold(PARTITION);
		});
	}

	/**
	 * Let the bytes of existing connections vanish. New connections work, so that the
	 * leader can keep its Lease.
	 */
	private static LeaderFault halfOpen(String name, boolean up, boolean down) {
		return new LeaderFault(name, Outcome.ANY, (stage) -> {
			stage.leader().proxy().halfOpen(up, down);
			stage.hold(PARTITION);
		});
	}

	private static List<LeaderFault> clocks() {
		return List.of(clock("leader-clock-forward-1h", Outcome.KEPT, (stage) -> stage.leader().shiftClock(JUMP)),
				clock("leader-clock-back-1h", Outcome.KEPT, (stage) -> stage.leader().shiftClock(JUMP.negated())),
				clock("standbys-clock-forward-1h", Outcome.KEPT, (stage) -> {
					for (Replica standby : stage.standbys()) {
						standby.shiftClock(JUMP);
					}
				}), clock("standbys-clock-back-1h", Outcome.KEPT, (stage) -> {
					for (Replica standby : stage.standbys()) {
						standby.shiftClock(JUMP.negated());
					}
				}), clock("leader-suspended-20s-clock-forward-1h", Outcome.EXPIRED, (stage) -> {
					Replica leader = stage.leader();
					leader.suspend();
					leader.shiftClock(JUMP);
					stage.hold(20);
					leader.resume();
				}));
	}

	private static LeaderFault clock(String name, Outcome outcome, LeaderFault.Action jump) {
		return new LeaderFault(name, outcome, (stage) -> {
			jump.run(stage);
			// longer than the lease duration
			stage.hold(20);
		});
	}

	private interface Selection {

		List<Replica> of(LeaderStage stage);

	}

}
