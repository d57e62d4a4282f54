/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InvocationGate;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.client.ObjectState;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a handler that is invoked only for the slots that this process owns. Events of
 * other slots are held. Invocations of slots that are lost are interrupted; slots that
 * are released move when their invocations have ended. Thread-safe.
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
final class SlotGate implements InvocationGate {

	private final Sharding sharding;

	private final Shard.@Nullable Key by;

	private final Map<Follower, ShardingListener> followers = new ConcurrentHashMap<>();

	/** Slots of which the followers know that this process owns them. */
	private volatile Set<Integer> known = Set.of();

	/** Number of the answers that this process does not own one of these slots. */
	private final AtomicInteger refusals = new AtomicInteger();

	SlotGate(Sharding sharding, Shard.@Nullable Key by) {
		this.sharding = sharding;
		this.by = by;
	}

	@Override
	public void follow(Follower follower) {
		ShardingListener listener = new Notifier(follower);
		this.followers.put(follower, listener);
		this.sharding.addListener(listener);
		this.known = this.sharding.owned();
	}

	@Override
	public void unfollow(Follower follower) {
		ShardingListener listener = this.followers.remove(follower);
		if (listener != null) {
			this.sharding.removeListener(listener);
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
			this.refusals.incrementAndGet();
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

	private final class Notifier implements ShardingListener {

		private final Follower follower;

		/** Written by the thread that notifies. */
		private volatile int refusals;

		Notifier(Follower follower) {
			this.follower = follower;
		}

		private void changed() {
			this.refusals = SlotGate.this.refusals.get();
			SlotGate.this.known = SlotGate.this.sharding.owned();
			this.follower.changed();
		}

		@Override
		public void assigned(Sharding sharding, Set<Integer> slots) {
			if (SlotGate.this.by != null) {
				// held deletions of slots that have moved away
				changed();
			}
		}

		@Override
		public void acquired(Sharding sharding, Set<Integer> slots) {
			changed();
		}

		@Override
		public void released(Sharding sharding, Set<Integer> slots) {
			changed();
		}

		@Override
		public void lost(Sharding sharding, Set<Integer> slots, String reason) {
			SlotGate.this.known = sharding.owned();
			this.follower.revoked((target) -> slots.contains(slotOf(target)),
					"lost its slots of group '" + sharding.group() + "'");
		}

		/**
		 * Deliver what was held between the renew deadline and the answer to a renewal
		 * that was just in time: the slots were never lost, so {@link #acquired} does not
		 * follow.
		 */
		@Override
		public void requested(Sharding sharding, Duration duration, boolean success) {
			if (success && this.refusals != SlotGate.this.refusals.get()) {
				changed();
			}
		}

	}

}
