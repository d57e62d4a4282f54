/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.Sharding;
import dev.informer.ShardingListener;

/**
 * Gate of a handler that is invoked only for the slots that this process owns. Events of
 * other slots are held in the queue of the handler. Invocations of slots that are lost
 * are interrupted; slots that are released move when their invocations have ended.
 * Thread-safe.
 * <p>
 * <b>Concurrency.</b> The gate has no state: the handler asks for the ownership under its
 * lock whenever it puts an entry into its queue, and after each change. An entry that was
 * held just before its slot was acquired becomes ready by the notification, which waits
 * for the lock, or after the next renewal. One that was ready when its slot was lost is
 * refused by {@link #begin}.
 */
class ShardingGate implements InvocationGate, ShardingListener {

	private final Sharding sharding;

	private final ProcessorListener<?> listener;

	ShardingGate(Sharding sharding, ProcessorListener<?> listener) {
		this.sharding = sharding;
		this.listener = listener;
	}

	@Override
	public void follow() {
		this.sharding.addListener(this);
	}

	@Override
	public void unfollow() {
		this.sharding.removeListener(this);
	}

	/**
	 * Return the slot of the object, which never changes.
	 */
	@Override
	public int slotOf(Entry<?> entry) {
		return (entry.slot() != NO_SLOT) ? entry.slot() : slotOf(entry.key());
	}

	private int slotOf(String key) {
		int slash = key.indexOf('/');
		String namespace = (slash < 0) ? null : key.substring(0, slash);
		return this.sharding.slotOf(namespace, key.substring(slash + 1));
	}

	@Override
	public boolean isOpen(int slot) {
		return slot == NO_SLOT || this.sharding.owns(slot);
	}

	@Override
	public boolean begin(int slot) {
		return slot == NO_SLOT || this.sharding.begin(slot);
	}

	@Override
	public void end(int slot) {
		if (slot != NO_SLOT) {
			this.sharding.end(slot);
		}
	}

	@Override
	public List<Cause> causes() {
		return this.sharding.owned().isEmpty() ? List.of(notOwned("This replica owns none of the "
				+ this.sharding.slots() + " slots of group '" + this.sharding.group() + "'")) : List.of();
	}

	@Override
	public List<Cause> causes(String key, PendingDelivery<?> next) {
		return causes(slotOf(key));
	}

	List<Cause> causes(int slot) {
		return isOpen(slot) ? List.of() : List.of(notOwned("The object belongs to slot " + slot + " of group '"
				+ this.sharding.group() + "', which this replica does not own"));
	}

	private static Cause notOwned(String message) {
		return new Cause(Reason.SLOT_NOT_OWNED, message + ". Events are held until it does", null);
	}

	@Override
	public void acquired(Sharding sharding, Set<Integer> slots) {
		this.listener.slotsChanged(slots);
		this.listener.startThreads();
	}

	@Override
	public void released(Sharding sharding, Set<Integer> slots) {
		this.listener.slotsChanged(slots);
	}

	@Override
	public void lost(Sharding sharding, Set<Integer> slots, String reason) {
		this.listener.slotsChanged(slots);
		IntPredicate lost = slots::contains;
		this.listener.invoker()
			.interrupt("lost its slots of group '" + sharding.group() + "'", lost,
					() -> this.listener.threads().interruptInvocations(lost))
			.run();
	}

	/**
	 * Deliver what was held between the renew deadline and the answer to a renewal that
	 * was just in time: the slots were never lost, so {@link #acquired} does not follow.
	 */
	@Override
	public void requested(Sharding sharding, Duration duration, boolean success) {
		if (success) {
			acquired(sharding, sharding.owned());
		}
	}

}
