/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.informer.HandlerOptions;
import dev.informer.Leadership;
import dev.informer.QueuePolicy;
import dev.informer.Sharding;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.shard.ShardMember;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.MissingLeasePermissionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordination of this application with its other replicas: leader elections and the
 * division of objects. {@link InformerLifecycle} starts it once the informers have
 * synced, so that this application is no leader and owns no slots before, and stops it
 * when no handler is running any more. Informers that cache a share of the objects can
 * sync only after {@link #join()}.
 */
public final class Replicas {

	private static final Logger logger = LoggerFactory.getLogger(Replicas.class);

	private final DefaultLeaderElections elections;

	private final ShardMembership membership;

	private final List<LeaseParticipant> participants;

	/**
	 * Create a coordination.
	 * @param elections the leader elections
	 * @param membership the membership in the group that divides objects
	 */
	public Replicas(DefaultLeaderElections elections, ShardMembership membership) {
		this.elections = elections;
		this.membership = membership;
		this.participants = Stream
			.concat(elections.electors().stream().map(LeaseParticipant::of),
					membership.member().stream().map(LeaseParticipant::of))
			.toList();
	}

	/**
	 * Set the replicas that invoke a handler.
	 * @throws InvalidHandlerMethodException if the selection contradicts itself or the
	 * informer, or the election or the division of objects does not exist
	 */
	void applyTo(HandlerOptions.Builder<?> builder, InformerHandlerEndpoint endpoint, SharedIndexInformer<?> informer,
			ReplicaSelection selected) {
		ReplicaSelection selection = selected.orElse(ReplicaSelection.NONE);
		if (Boolean.TRUE.equals(selection.leaderOnly()) && Boolean.TRUE.equals(selection.sharded())) {
			throw endpoint.method()
				.invalid("it is both leader-only and sharded",
						"Choose one of them: remove leaderOnly and leader, or sharded, or override the attribute by "
								+ "informer.handlers." + endpoint.id() + ".leader-only=false or informer.handlers."
								+ endpoint.id() + ".sharded=false.");
		}
		if (informer.options().shard() != null) {
			// the informer divides its objects for all of its handlers
			checkSharded(informer.name(), builder.build().queue(), endpoint, selection);
			return;
		}
		Leadership leadership = this.elections.find(endpoint, selection);
		Sharding sharding = this.membership.find(endpoint, selection);
		builder.leadership(leadership).sharding(sharding);
	}

	private static void checkSharded(String informer, QueuePolicy queue, InformerHandlerEndpoint endpoint,
			ReplicaSelection selection) {
		String cached = "but its informer '" + informer + "' caches only the objects of the slots of this replica";
		String key = "informer.handlers." + endpoint.id();
		String remedy = ", or let every replica cache all objects: remove informer.resources." + informer
				+ ".shard.by.";
		if (Boolean.TRUE.equals(selection.leaderOnly())) {
			throw endpoint.method()
				.invalid("it is leader-only, " + cached,
						"Let each replica invoke it for its objects: remove leaderOnly and leader, or override the "
								+ "attribute by " + key + ".leader-only=false" + remedy);
		}
		if (queue == QueuePolicy.KEEP_ALL) {
			throw endpoint.method()
				.invalid("its queue is keep-all, " + cached + " and would keep every event of the slots that move away",
						"Use the queue coalesce: change the attribute, or override it by " + key + ".queue=coalesce"
								+ remedy);
		}
	}

	/**
	 * Join the group that divides objects. Returns immediately. Informers that cache a
	 * share of the objects wait for its slots.
	 */
	void join() {
		this.membership.member().ifPresent(ShardMember::start);
	}

	/**
	 * Wait until this application has joined the group, or cannot join it now.
	 * @param timeout the maximum time to wait
	 * @throws MissingLeasePermissionException if a permission is missing
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	void awaitJoined(Duration timeout) throws InterruptedException {
		Optional<LeaseParticipant> participant = this.membership.member().map(LeaseParticipant::of);
		if (participant.isPresent()) {
			participant.get().awaitAnswer().run(timeout);
			participant.get().findMissingPermission().ifPresent((missing) -> {
				throw missing;
			});
		}
	}

	/**
	 * Start the coordination, and wait for the first answers of the API server, not for a
	 * leader or for slots.
	 * @param timeout the maximum time to wait for each answer
	 * @param onTimeout the reaction when a permission is missing
	 * @throws MissingLeasePermissionException if a permission is missing
	 */
	void start(Duration timeout, OnTimeout onTimeout) {
		this.participants.forEach((participant) -> participant.start().run());
		try {
			for (LeaseParticipant participant : this.participants) {
				participant.awaitAnswer().run(timeout);
				participant.findMissingPermission().ifPresent((missing) -> {
					if (onTimeout == OnTimeout.FAIL) {
						throw missing;
					}
					logger.warn("{}; continuing startup", missing.getMessage());
				});
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the Leases of this application", ex);
		}
	}

	/**
	 * Stop the coordination, and release leadership and slots where no work is running
	 * any more.
	 * @param timeout the maximum time to wait for running work
	 */
	void stop(Duration timeout) {
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		for (LeaseParticipant participant : this.participants) {
			try {
				participant.stop().run(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
