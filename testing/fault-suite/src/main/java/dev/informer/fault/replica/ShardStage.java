/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.fault.client.Coordination;
import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that divide objects, and another one that joins them.
 */
final class ShardStage extends ReplicaStage {

	/** Maximum time until each slot has one owner after a replica has joined or left. */
	private static final Duration MOVE = Duration.ofSeconds(10);

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final Replica joining;

	private final List<Effect> effects = new ArrayList<>();

	private final List<Violation> violations = new ArrayList<>();

	private int round;

	/** Owners before the fault, or before its end. */
	private Ownership before = Ownership.of(List.of());

	/** Owners after the takeover; {@code null} before it. */
	private @Nullable Ownership after;

	/**
	 * Create replicas that are not running, and start the changes.
	 * @param cluster the cluster
	 * @param durations the durations of the group
	 * @param folder an empty folder for the files of the replicas
	 */
	ShardStage(Cluster cluster, ReplicaDurations durations, Path folder) throws IOException, InterruptedException {
		super(cluster, Coordination.SHARDING, durations, folder,
				List.of(new Workload(cluster.api(), Map.of(WatchedResource.CONFIG_MAPS, 240), 40),
						new Workload(cluster.api(), Map.of(WatchedResource.PODS, 12, WatchedResource.WIDGETS, 3), 4)));
		this.joining = newReplica();
	}

	@Override
	void begin() throws InterruptedException {
		this.round++;
		this.effects.clear();
		this.violations.clear();
		this.after = null;
		await("each slot has one owner", () -> isOwned(REPLICAS));
		this.before = Ownership.of(logs());
		fault();
	}

	@Override
	Replica target() {
		return replicas().get(this.round % REPLICAS);
	}

	/**
	 * Start another replica. The slots are awaited from the time at which it has joined.
	 */
	void join() throws IOException, InterruptedException {
		this.joining.start();
		InvocationLog log = this.joining.log();
		await("the replica has joined", () -> {
			log.read();
			return !log.owned().isEmpty();
		});
		faultAt(log.owned().get(0).time());
		awaitTakeover();
	}

	/**
	 * Terminate a replica. The slots are awaited from the end of its last invocation,
	 * which it waits for.
	 */
	void leave() throws IOException, InterruptedException {
		fault();
		terminate(target());
		awaitTakeover();
	}

	private void terminate(Replica replica) throws IOException, InterruptedException {
		replica.terminate();
		replica.log().read();
		faultAt(Math.max(since(), replica.log().lastEnd()));
	}

	private boolean isOwned(int members) throws IOException {
		readLogs();
		Ownership now = Ownership.of(logs());
		// members that have not observed each other yet are still going to move slots
		long stable = durations().scaled(Duration.ofSeconds(2)).toNanos();
		return now.isComplete(members) && System.nanoTime() - now.since() >= stable;
	}

	/**
	 * Wait until each slot has one owner among the replicas that can renew their Leases.
	 */
	@Override
	void awaitTakeover() throws IOException, InterruptedException {
		this.after = awaitOwned();
	}

	private Ownership awaitOwned() throws IOException, InterruptedException {
		int members = (int) replicas().stream().filter(Replica::isReachable).count()
				+ (this.joining.isRunning() ? 1 : 0);
		boolean complete = await(durations().lease().plus(TIMEOUT), () -> isOwned(members));
		Ownership owners = Ownership.of(logs());
		if (!complete) {
			List<Violation> found = owners.violations();
			this.violations
				.addAll(found.isEmpty() ? List.of(new Violation("slots not balanced", owners.toString())) : found);
		}
		return owners;
	}

	@Override
	List<Violation> recover() throws IOException, InterruptedException {
		Ownership fault = (this.after != null) ? this.after : awaitOwned();
		this.effects.add(effect(Outcome.ANY, fault));
		this.before = fault;
		fault();
		if (this.joining.isRunning()) {
			terminate(this.joining);
		}
		long end = since();
		for (Replica replica : replicas()) {
			replica.recover();
		}
		Ownership recovered = awaitOwned();
		// those that were killed or cut off have to join first
		faultAt(Math.max(end, lastWithoutSlots()));
		this.effects.add(effect(Outcome.ANY, recovered));
		List<Violation> found = new ArrayList<>(this.violations);
		found.addAll(super.recover());
		return found;
	}

	private long lastWithoutSlots() {
		return replicas().stream()
			.flatMap((replica) -> replica.log().owned().stream())
			.filter((owned) -> owned.slots().isEmpty())
			.mapToLong((owned) -> owned.time())
			.max()
			.orElse(Long.MIN_VALUE);
	}

	private Effect effect(Outcome outcome, Ownership owners) {
		Duration time = Duration.ofNanos(Math.max(0, owners.since() - since()));
		return new Effect(outcome, MOVE, owners.since() > since(), time, owners.movedFrom(this.before));
	}

	@Override
	List<Effect> effects(Outcome outcome) {
		Effect fault = this.effects.get(0);
		return List.of(new Effect(outcome, bar(outcome, durations()), fault.happened(), fault.after(), fault.moved()),
				this.effects.get(1));
	}

	/**
	 * Return the maximum time until each slot has one owner.
	 * @param outcome the outcome
	 * @param durations the durations of the group
	 * @return the time; {@code null} if no slot moves
	 */
	static @Nullable Duration bar(Outcome outcome, ReplicaDurations durations) {
		return switch (outcome) {
			case EXPIRED, ANY -> durations.lease().plusSeconds(2).plus(MOVE);
			case RELEASED -> MOVE;
			case KEPT -> null;
		};
	}

	@Override
	Verdict judge() throws IOException {
		readLogs();
		return ShardOracle.judge(logs(), System.nanoTime());
	}

}
