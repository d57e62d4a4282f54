/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.time.Duration;
import java.util.Set;

/**
 * Change of a {@link Leadership} or a {@link Sharding}. Immutable.
 *
 * @see ReplicaListener
 */
public sealed interface ReplicaEvent {

	/**
	 * This process has become leader.
	 *
	 * @param leadership the leadership
	 */
	record LeadershipAcquired(Leadership leadership) implements ReplicaEvent {
	}

	/**
	 * This process is no longer leader.
	 *
	 * @param leadership the leadership
	 * @param reason the reason in words
	 */
	record LeadershipLost(Leadership leadership, String reason) implements ReplicaEvent {
	}

	/**
	 * The slots have changed that this process is to own, before it acquires or releases
	 * one of them.
	 *
	 * @param sharding the sharding
	 * @param slots the slots, see {@link Sharding#assigned()}
	 */
	record SlotsAssigned(Sharding sharding, Set<Integer> slots) implements ReplicaEvent {
	}

	/**
	 * This process has become owner of slots.
	 *
	 * @param sharding the sharding
	 * @param slots the slots
	 */
	record SlotsAcquired(Sharding sharding, Set<Integer> slots) implements ReplicaEvent {
	}

	/**
	 * This process is no longer owner of slots that move to other replicas once running
	 * work on them has ended.
	 *
	 * @param sharding the sharding
	 * @param slots the slots
	 */
	record SlotsReleased(Sharding sharding, Set<Integer> slots) implements ReplicaEvent {
	}

	/**
	 * This process has lost its slots, because it could not renew its membership. Running
	 * work has to end: other replicas own the slots soon.
	 *
	 * @param sharding the sharding
	 * @param slots the slots
	 * @param reason the reason in words
	 */
	record SlotsLost(Sharding sharding, Set<Integer> slots, String reason) implements ReplicaEvent {
	}

	/**
	 * A request has ended that acquires, renews or releases the Lease of this process.
	 *
	 * @param coordination the {@link Leadership} or {@link Sharding}
	 * @param duration the duration of the request
	 * @param success whether it was successful
	 */
	record Requested(Coordination coordination, Duration duration, boolean success) implements ReplicaEvent {
	}

}
