/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.HandlerOptions;
import dev.informer.Leadership;
import dev.informer.Sharding;
import dev.informer.TimeSource;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.MissingLeasePermissionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordination of this application with its other replicas: leader elections and the
 * division of objects. {@link InformerLifecycle} starts it once the informers have
 * started, and stops it when no handler is running any more.
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
	 * @throws InvalidHandlerMethodException if the selection contradicts itself, or the
	 * election or the division of objects does not exist
	 */
	void applyTo(HandlerOptions.Builder<?> builder, InformerHandlerEndpoint endpoint, ReplicaSelection selected) {
		ReplicaSelection selection = selected.orElse(ReplicaSelection.NONE);
		if (Boolean.TRUE.equals(selection.leaderOnly()) && Boolean.TRUE.equals(selection.sharded())) {
			throw endpoint.method()
				.invalid("it is both leader-only and sharded",
						"Choose one of them: remove leaderOnly and leader, or sharded, or override the attribute by "
								+ "informer.handlers." + endpoint.id() + ".leader-only=false or informer.handlers."
								+ endpoint.id() + ".sharded=false.");
		}
		Leadership leadership = this.elections.find(endpoint, selection);
		Sharding sharding = this.membership.find(endpoint, selection);
		builder.leadership(leadership).sharding(sharding);
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
