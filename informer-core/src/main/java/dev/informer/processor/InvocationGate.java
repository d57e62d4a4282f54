/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerOptions;
import dev.informer.Leadership;
import dev.informer.Shard;
import dev.informer.Sharding;
import org.jspecify.annotations.Nullable;

/**
 * Gate that each invocation of a handler passes. It may be closed for the handler as a
 * whole, or for the objects of some slots. Independent of what the handler knows,
 * {@link #begin} checks that immediately before each invocation. Thread-safe.
 * <p>
 * The defaults are those of a gate that is always open, with one slot for all objects.
 */
interface InvocationGate {

	/**
	 * Slot of an invocation that needs none: the gate is always open for it.
	 */
	int NO_SLOT = -1;

	/** Gate that is always open. */
	InvocationGate OPEN = new InvocationGate() {

	};

	/**
	 * Create the gate of a handler.
	 * @param options the options of the handler
	 * @param shard the shard of its informer; {@code null} for none
	 * @param listener the handler
	 * @throws dev.informer.InvalidOptionException if the handler cannot be one of an
	 * informer with this shard
	 */
	static InvocationGate of(HandlerOptions<?> options, @Nullable Shard shard, ProcessorListener<?> listener) {
		if (shard != null) {
			return new ShardGate(shard, options, listener);
		}
		Leadership leadership = options.leadership();
		if (leadership != null) {
			return new LeadershipGate(leadership, listener);
		}
		Sharding sharding = options.sharding();
		return (sharding != null) ? new ShardingGate(sharding, listener) : OPEN;
	}

	/**
	 * Follow the changes that open and close the gate. To be called before the handler
	 * has events.
	 */
	default void follow() {
	}

	default void unfollow() {
	}

	/**
	 * Return the slot of the next invocation for an object, which has a pending event
	 * that is not being delivered.
	 */
	default int slotOf(Entry<?> entry) {
		return 0;
	}

	/**
	 * Return whether the gate is open for a slot now. After a change to {@code true}, the
	 * gate calls {@link ProcessorListener#slotsChanged}.
	 */
	default boolean isOpen(int slot) {
		return true;
	}

	/**
	 * Begin an invocation.
	 * @param slot the slot of the object
	 * @return whether it may begin; {@link #end} has to follow
	 */
	default boolean begin(int slot) {
		return true;
	}

	default void end(int slot) {
	}

	/**
	 * Pause the handler as long as the gate is closed for it as a whole. Called with the
	 * lock of the handler, after {@link #begin} has refused an invocation.
	 */
	default void update() {
	}

	/**
	 * Return the causes that concern the handler as a whole, unless it is paused for
	 * them.
	 */
	default List<Cause> causes() {
		return List.of();
	}

	/**
	 * Return the causes that concern an object, unless the handler is paused for them.
	 * @param key the key of the object
	 * @param next its next delivery
	 */
	default List<Cause> causes(String key, PendingDelivery<?> next) {
		return List.of();
	}

}
