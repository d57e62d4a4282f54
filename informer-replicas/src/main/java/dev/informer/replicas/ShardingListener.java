/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.time.Duration;
import java.util.Set;

/**
 * Listener for changes of a {@link Sharding}. The methods are called one by one, by the
 * thread that renews the membership: they must not block. Exceptions are logged.
 */
public interface ShardingListener {

	/**
	 * Called when the slots have changed that this process is to own, before it acquires
	 * or releases one of them.
	 * @param sharding the sharding
	 * @param slots the slots, see {@link Sharding#assigned()}
	 */
	default void assigned(Sharding sharding, Set<Integer> slots) {
	}

	/**
	 * Called when this process has become owner of slots.
	 * @param sharding the sharding
	 * @param slots the slots
	 */
	default void acquired(Sharding sharding, Set<Integer> slots) {
	}

	/**
	 * Called when this process is no longer owner of slots that move to other replicas
	 * once running work on them has ended.
	 * @param sharding the sharding
	 * @param slots the slots
	 */
	default void released(Sharding sharding, Set<Integer> slots) {
	}

	/**
	 * Called when this process has lost its slots, because it could not renew its
	 * membership. Running work has to end: other replicas own the slots soon.
	 * @param sharding the sharding
	 * @param slots the slots
	 * @param reason the reason in words
	 */
	default void lost(Sharding sharding, Set<Integer> slots, String reason) {
	}

	/**
	 * Called after a request that begins, renews or ends the membership.
	 * @param sharding the sharding
	 * @param duration the duration of the request
	 * @param success whether it was successful
	 */
	default void requested(Sharding sharding, Duration duration, boolean success) {
	}

}
