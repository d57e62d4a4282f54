/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.informer.fault.client.Coordination;
import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.ObjectState;
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

	/** Maximum time until the caches are those of the owners. */
	private static final Duration CACHES = Duration.ofSeconds(10);

	private static final Set<WatchedResource> DIVIDED = EnumSet.of(WatchedResource.SECRETS);

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	/** Changes of the objects of the sharded informer. */
	private final Workload divided;

	private final Replica joining;

	private final List<Effect> effects = new ArrayList<>();

	private final List<Violation> violations = new ArrayList<>();

	private int round;

	/** Owners before the fault, or before its end. */
	private Ownership before = Ownership.of(List.of());

	/** Owners after the takeover; {@code null} before it. */
	private @Nullable Ownership after;

	/** Time until the caches were those of the owners after the takeover. */
	private @Nullable Duration caches;

	/**
	 * Create replicas that are not running, and start the changes.
	 */
	ShardStage(Cluster cluster, ReplicaDurations durations, Path folder) throws IOException, InterruptedException {
		super(cluster, Coordination.SHARDING, durations, folder);
		this.divided = change(Map.of(WatchedResource.SECRETS, 150), 20, true);
		change(Map.of(WatchedResource.CONFIG_MAPS, 240), 40, true);
		change(Map.of(WatchedResource.PODS, 12, WatchedResource.WIDGETS, 3), 4, false);
		this.joining = newReplica();
	}

	@Override
	void begin() throws IOException, InterruptedException {
		this.round++;
		this.effects.clear();
		this.violations.clear();
		this.after = null;
		this.caches = null;
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

	void leave() throws IOException, InterruptedException {
		terminate(target());
		awaitTakeover();
	}

	private boolean isOwned(int members) throws IOException {
		readLogs();
		Ownership now = Ownership.of(logs());
		// members that have not observed each other yet are still going to move slots
		long stable = durations().scaled(Duration.ofSeconds(2)).toNanos();
		return now.isComplete(members) && System.nanoTime() - now.since() >= stable;
	}

	/**
	 * Wait until each slot has one owner among the replicas that can renew their Leases,
	 * and the caches are those of the owners.
	 */
	@Override
	void awaitTakeover() throws IOException, InterruptedException {
		this.after = awaitOwned();
		this.divided.pause();
		try {
			this.caches = awaitCaches();
		}
		finally {
			this.divided.resume();
		}
	}

	private Stream<Replica> members() {
		return Stream.concat(replicas().stream().filter(Replica::isReachable),
				Stream.of(this.joining).filter(Replica::isRunning));
	}

	private Ownership awaitOwned() throws IOException, InterruptedException {
		int members = (int) members().count();
		boolean complete = await(durations().lease().plus(TIMEOUT), () -> isOwned(members));
		Ownership owners = Ownership.of(logs());
		if (!complete) {
			List<Violation> found = owners.violations();
			this.violations
				.addAll(found.isEmpty() ? List.of(new Violation("slots not balanced", owners.toString())) : found);
		}
		return owners;
	}

	/**
	 * Wait until each object of the sharded informer is in the cache of one member, while
	 * these objects do not change.
	 */
	private Duration awaitCaches() throws InterruptedException {
		List<Violation> found = new ArrayList<>(List.of(new Violation("caches not compared", "no answer")));
		long begin = System.nanoTime();
		boolean complete = await(CACHES, () -> {
			List<Violation> current = compareCaches();
			found.clear();
			found.addAll(current);
			return found.isEmpty();
		});
		if (!complete) {
			this.violations.addAll(found);
		}
		return Duration.ofNanos(System.nanoTime() - begin);
	}

	private List<Violation> compareCaches() throws IOException, InterruptedException {
		List<Map<String, ObjectState>> cached = new ArrayList<>();
		for (Replica member : members().toList()) {
			cached.add(member.cache().of(WatchedResource.SECRETS));
		}
		return CacheOracle.judge(cluster().api().list(DIVIDED).of(WatchedResource.SECRETS), cached);
	}

	@Override
	List<Violation> recover() throws IOException, InterruptedException {
		Ownership fault = (this.after != null) ? this.after : awaitOwned();
		this.effects.add(effect(fault, this.caches));
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
		// an update that is lost is not made up for by the next one
		this.divided.pause();
		try {
			this.effects.add(effect(recovered, awaitCaches()));
			List<Violation> found = new ArrayList<>(this.violations);
			found.addAll(super.recover());
			return found;
		}
		finally {
			this.divided.resume();
		}
	}

	private long lastWithoutSlots() {
		return replicas().stream()
			.flatMap((replica) -> replica.log().owned().stream())
			.filter((owned) -> owned.slots().isEmpty())
			.mapToLong((owned) -> owned.time())
			.max()
			.orElse(Long.MIN_VALUE);
	}

	private Effect effect(Ownership owners, @Nullable Duration compared) {
		Duration time = Duration.ofNanos(Math.max(0, owners.since() - since()));
		return new Effect(Outcome.ANY, MOVE, owners.since() > since(), time, owners.movedFrom(this.before), compared);
	}

	@Override
	List<Effect> effects(Outcome outcome) {
		Effect fault = this.effects.get(0);
		return List.of(new Effect(outcome, bar(outcome, durations()), fault.happened(), fault.after(), fault.moved(),
				fault.caches()), this.effects.get(1));
	}

	/**
	 * Return the maximum time until each slot has one owner.
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
	Verdict judgeInvocations(long now) {
		return ShardOracle.judge(logs(), now);
	}

}
