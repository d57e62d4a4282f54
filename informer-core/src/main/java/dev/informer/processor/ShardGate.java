/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerOptions;
import dev.informer.InvalidOptionException;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.Shard;
import dev.informer.Sharding;
import dev.informer.client.ObjectState;
import dev.informer.client.ShardSelector;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Gate of a handler of an informer that caches only a {@link Shard}. The slot follows
 * from the object of the next event, so it may change while the key remains: a recreated
 * object has another UID.
 * <p>
 * Deletions of objects whose slot has moved away pass the gate, because the handler has
 * to forget these objects, and need no slot. Those are the deletions with the reason
 * {@link Reason#MOVED}, and all others in a slot that this process neither owns nor is to
 * own: it would hold them until it is assigned the slot again, and with them an object
 * that was recreated in another slot.
 */
final class ShardGate extends ShardingGate {

	private final Shard shard;

	private final ProcessorListener<?> listener;

	ShardGate(Shard shard, HandlerOptions<?> options, ProcessorListener<?> listener) {
		super(shard.sharding(), listener);
		check(shard, options);
		this.shard = shard;
		this.listener = listener;
	}

	private static void check(Shard shard, HandlerOptions<?> options) {
		if (options.leadership() != null) {
			throw new InvalidOptionException("leadership",
					"cannot be set for a handler of an informer with a shard: the leader would see only the objects "
							+ "of its slots. Remove it, or add the handler to an informer without a shard");
		}
		if (options.queue() == QueuePolicy.KEEP_ALL) {
			throw new InvalidOptionException("queue",
					"must be coalesce for a handler of an informer with a shard: a replica would keep every event of "
							+ "the slots that it does not own, without a bound");
		}
		Sharding other = options.sharding();
		if (other != null && other != shard.sharding()) {
			throw new InvalidOptionException("sharding", "cannot be another one than that of the informer, group '"
					+ shard.sharding().group() + "', by which its handlers are sharded in any case. Remove it");
		}
	}

	@Override
	public int slotOf(Entry<?> entry) {
		return slotOf(entry.pending().next(null));
	}

	private int slotOf(PendingDelivery<?> next) {
		KubernetesObject object = next.object();
		Deleted<?> deletion = next.isDeletion() ? next.deletion() : null;
		if (object == null || (deletion != null && deletion.reason() == Reason.MOVED)) {
			return NO_SLOT;
		}
		Sharding sharding = this.shard.sharding();
		int slot = ShardSelector.slotOf(this.shard.by(), sharding.slots(), ObjectState.of(object));
		return (next.isDeletion() && hasMoved(slot)) ? NO_SLOT : slot;
	}

	private boolean hasMoved(int slot) {
		Set<Integer> assigned = this.shard.sharding().assigned();
		return assigned != null && !assigned.contains(slot) && !isOpen(slot);
	}

	@Override
	public List<Cause> causes(String key, PendingDelivery<?> next) {
		return causes(slotOf(next));
	}

	/**
	 * Deliver the held deletions of the slots that have moved away.
	 */
	@Override
	public void assigned(Sharding sharding, Set<Integer> slots) {
		this.listener.slotsChanged(IntStream.range(0, sharding.slots())
			.boxed()
			.filter((slot) -> !slots.contains(slot))
			.collect(Collectors.toSet()));
		this.listener.startThreads();
	}

}
