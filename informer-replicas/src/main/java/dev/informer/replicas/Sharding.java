/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.Optional;
import java.util.Set;

import dev.informer.HandlerOptions;
import dev.informer.InvocationGate;
import org.jspecify.annotations.Nullable;

/**
 * Division of work between the replicas of an application. Each object belongs to a slot,
 * and each slot is owned by at most one replica at a time.
 * <p>
 * A replica owns its slots until the renew deadline has passed since it <em>sent</em> its
 * last successful renewal, by the monotonic clock of this process. After a pause of the
 * process, such as a SIGSTOP or a long garbage collection, {@link #owns} and
 * {@link #begin} therefore see that time has passed, even before anything else has
 * noticed.
 *
 * @see #gate()
 */
public interface Sharding extends Coordination {

	/**
	 * Return the name of the group of replicas.
	 * @return the name
	 */
	String group();

	/**
	 * Return the number of slots.
	 * @return the number, a power of two
	 */
	int slots();

	/**
	 * Return the slot of an object. It depends only on the arguments and on the options
	 * of the group, so it is the same on all replicas.
	 * @param namespace the namespace; {@code null} for a cluster-scoped object
	 * @param name the name
	 * @return the slot, from 0 to {@link #slots()} - 1
	 */
	int slotOf(@Nullable String namespace, String name);

	/**
	 * Return whether this process owns a slot now.
	 * @param slot the slot
	 * @return whether this process owns it
	 */
	boolean owns(int slot);

	/**
	 * Return the slots that this process owns now.
	 * @return the slots, in ascending order; a copy
	 */
	Set<Integer> owned();

	/**
	 * Return the slots that this process is to own: those that it owns, and those that it
	 * owns as soon as other replicas have released them. They remain the same while this
	 * process cannot renew its membership.
	 * @return the slots, in ascending order; a copy. {@code null} until they are known
	 * for the first time
	 */
	@Nullable Set<Integer> assigned();

	/**
	 * Begin work on an object of a slot. Call this immediately before the work. A slot
	 * moves to another replica only after all work on it has ended.
	 * @param slot the slot
	 * @return whether the work may begin; call {@link #end} after it
	 */
	boolean begin(int slot);

	/**
	 * End work that a successful {@link #begin} has begun.
	 * @param slot the slot
	 */
	void end(int slot);

	/**
	 * Return the division of the objects of a gate.
	 * @param gate the gate
	 * @return the division of the objects; empty for a gate of another kind
	 */
	static Optional<Sharding> of(InvocationGate gate) {
		return (gate instanceof SlotGate known) ? Optional.of(known.sharding()) : Optional.empty();
	}

	/**
	 * Return the gate of handlers that are invoked only for the objects in the slots that
	 * this process owns. A process that acquires a slot delivers the events of its
	 * objects that the handler has not received: an object that was never delivered as
	 * added, any other as the difference to its last delivered state. An object that was
	 * deleted in between is delivered as deleted if the handler has received it before,
	 * and not at all otherwise.
	 * @return the gate, for {@link HandlerOptions.Builder#gate}
	 */
	default InvocationGate gate() {
		return new SlotGate(this, null);
	}

}
