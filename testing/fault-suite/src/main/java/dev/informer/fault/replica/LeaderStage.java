/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.client.Coordination;
import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that elect a leader.
 */
final class LeaderStage extends ReplicaStage {

	/** Handlers and reconcilers that are busy all the time. */
	private static final Set<ReplicaHandler> LENGTHY = EnumSet.of(ReplicaHandler.SLOW, ReplicaHandler.STUBBORN,
			ReplicaHandler.SLOW_RECONCILER, ReplicaHandler.STUBBORN_RECONCILER);

	/** Changes for them. */
	private final Workload lengthy;

	/** Leader and its fencing token before the fault. */
	private Replica leader;

	private int token;

	/**
	 * Create replicas that are not running, and start the changes.
	 */
	LeaderStage(Cluster cluster, ReplicaDurations durations, Path folder) throws IOException, InterruptedException {
		super(cluster, Coordination.LEADER, durations, folder);
		change(Map.of(WatchedResource.CONFIG_MAPS, 40), 20, true);
		this.lengthy = change(Map.of(WatchedResource.PODS, 4, WatchedResource.WIDGETS, 1), 4, false);
		this.leader = replicas().get(0);
	}

	@Override
	void begin() throws IOException, InterruptedException {
		await("a replica leads", this::findLeader);
		this.token = this.leader.log().lastToken();
		fault();
	}

	private boolean findLeader() throws IOException, InterruptedException {
		readLogs();
		String holder = cluster().leaseHolder();
		int last = logs().stream().mapToInt(InvocationLog::lastToken).max().orElse(0);
		for (Replica replica : replicas()) {
			InvocationLog log = replica.log();
			if (replica.isRunning() && holder.equals(log.holder()) && log.lastToken() == last) {
				this.leader = replica;
				return true;
			}
		}
		return false;
	}

	@Override
	Replica target() {
		return this.leader;
	}

	/**
	 * Terminate the leader while only those handlers that return quickly are busy.
	 */
	void terminateIdleLeader() throws IOException, InterruptedException {
		this.lengthy.pause();
		try {
			List<Violation> unhandled = awaitHandled(LENGTHY);
			if (!unhandled.isEmpty()) {
				throw new ClientException("Handlers are not idle: " + unhandled);
			}
			// a reconciler may be called again for a state that it has seen
			await("slow handlers are idle", () -> {
				this.leader.log().read();
				return LENGTHY.stream().noneMatch(this.leader.log()::isRunning);
			});
			fault();
			this.leader.terminate();
		}
		finally {
			this.lengthy.resume();
		}
		awaitTakeover();
	}

	/**
	 * Terminate the leader while all handlers are busy.
	 */
	void terminateBusyLeader() throws IOException, InterruptedException {
		InvocationLog log = this.leader.log();
		await("a slow handler is busy", () -> {
			log.read();
			return LENGTHY.stream().allMatch(log::isRunning);
		});
		terminate(this.leader);
		awaitTakeover();
	}

	/**
	 * Wait until an invocation has begun in a later term.
	 */
	@Override
	void awaitTakeover() throws IOException, InterruptedException {
		await(durations().lease().plusSeconds(30), () -> {
			readLogs();
			return nextTerm().isPresent();
		});
	}

	private OptionalLong nextTerm() {
		return LeaderOracle.firstBegin(logs().stream(), this.token);
	}

	@Override
	List<Effect> effects(Outcome outcome) {
		OptionalLong next = nextTerm();
		Duration after = Duration.ofNanos(next.isPresent() ? Math.max(0, next.getAsLong() - since()) : 0);
		return List.of(new Effect(outcome, bar(outcome, durations()), next.isPresent(), after, 0, null));
	}

	/**
	 * Return the maximum time until another term begins.
	 * @return the time; {@code null} if the term continues
	 */
	static @Nullable Duration bar(Outcome outcome, ReplicaDurations durations) {
		return switch (outcome) {
			case EXPIRED, ANY -> durations.lease().plusSeconds(2);
			case RELEASED -> Duration.ofSeconds(1);
			case KEPT -> null;
		};
	}

	@Override
	Verdict judgeInvocations(long now) {
		return LeaderOracle.judge(logs(), now);
	}

	@Override
	String summary() {
		return super.summary() + ", in %d terms"
			.formatted(logs().stream().flatMap((log) -> log.terms().keySet().stream()).distinct().count());
	}

}
