/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.client.ObjectState;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a handler that is invoked only for the slots that this process owns. Events of
 * other slots are held. Invocations of slots that are lost are interrupted; slots that
 * are released move when their invocations have ended.
 * <p>
 * The slot follows from the name of an object and never changes, or in a {@link Shard}
 * from its UID or namespace: a recreated object may be in another slot. There, deletions
 * of objects whose slot has moved away pass the gate, because the handler has to forget
 * these objects: those with the reason {@link Reason#UNWATCHED}, and all others in a slot
 * that this process neither owns nor is to own. It would hold them until it is assigned
 * the slot again, and with them an object that was recreated in another slot.
 * <p>
 * <b>Concurrency.</b> An invocation that was held just before its slot was acquired gets
 * ready by the notification, or after the next renewal. One that was ready when its slot
 * was lost is refused by {@link #begin}.
 */
final class SlotGate extends ReplicaGate {

	private final Sharding sharding;

	private final Shard.@Nullable Key by;

	/** Numbers of the terms by slot. A follower that is late begins another one. */
	private final Map<Integer, Long> terms = new ConcurrentHashMap<>();

	private final AtomicLong lastTerm = new AtomicLong();

	/** Slots of which the followers know that this process owns them. */
	private volatile Set<Integer> known = Set.of();

	SlotGate(Sharding sharding, Shard.@Nullable Key by) {
		super(sharding);
		this.sharding = sharding;
		this.by = by;
	}

	@Override
	public void follow(Follower follower) {
		super.follow(follower);
		this.known = this.sharding.owned();
	}

	@Override
	void notify(Follower follower, ReplicaEvent event) {
		this.known = this.sharding.owned();
		if (event instanceof SlotsReleased released) {
			this.terms.keySet().removeAll(released.slots());
		}
		if (event instanceof SlotsLost lost) {
			this.terms.keySet().removeAll(lost.slots());
			follower.revoked((target) -> lost.slots().contains(slotOf(target)),
					"lost its slots of group '" + this.sharding.group() + "'");
		}
		else {
			follower.changed();
		}
	}

	@Override
	public Access access(Target target) {
		if (this.by != null && (target.uid() == null || target.deletion() == Reason.UNWATCHED)) {
			return Access.GONE;
		}
		int slot = slotOf(target);
		if (noted(slot, this.sharding.owns(slot))) {
			return Access.OPEN;
		}
		return (this.by != null && target.deletion() != null && hasMoved(slot)) ? Access.GONE : Access.CLOSED;
	}

	private int slotOf(Target target) {
		return (this.by != null)
				? SlotSelector.slotOf(this.by, this.sharding.slots(),
						new ObjectState(target.namespace(), null, target.uid(), null))
				: this.sharding.slotOf(target.namespace(), target.name());
	}

	private boolean hasMoved(int slot) {
		Set<Integer> assigned = this.sharding.assigned();
		return assigned != null && !assigned.contains(slot);
	}

	private boolean noted(int slot, boolean owned) {
		if (!owned && this.known.contains(slot)) {
			refused();
		}
		return owned;
	}

	@Override
	public boolean begin(Target target) {
		int slot = slotOf(target);
		return noted(slot, this.sharding.begin(slot));
	}

	@Override
	public void end(Target target) {
		this.sharding.end(slotOf(target));
	}

	@Override
	public long term(Target target) {
		int slot = slotOf(target);
		return this.sharding.owns(slot) ? this.terms.computeIfAbsent(slot, (any) -> this.lastTerm.incrementAndGet())
				: 0;
	}

	@Override
	public @Nullable String closedReason(@Nullable Target target) {
		String reason;
		if (target == null) {
			reason = this.sharding.owned().isEmpty() ? "This replica owns none of the " + this.sharding.slots()
					+ " slots of group '" + this.sharding.group() + "'" : null;
		}
		else {
			int slot = slotOf(target);
			reason = this.sharding.owns(slot) ? null : "The object belongs to slot " + slot + " of group '"
					+ this.sharding.group() + "', which this replica does not own";
		}
		return (reason != null) ? reason + ". Events are held until it does" : null;
	}

	Sharding sharding() {
		return this.sharding;
	}

	@Override
	public String toString() {
		return "sharded";
	}

}
