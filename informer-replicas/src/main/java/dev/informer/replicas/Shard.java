/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.Optional;
import java.util.Set;

import dev.informer.InformerOptions;
import dev.informer.InvalidOptionException;
import dev.informer.InvocationGate;
import dev.informer.ResourceEvent;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ResourceType;
import dev.informer.replicas.ReplicaEvent.SlotsAssigned;
import org.jspecify.annotations.Nullable;

/**
 * Share of a resource that an informer caches: the objects in the slots that this process
 * is assigned. Objects of slots that move to this process are delivered as added once it
 * owns them. Those of slots that move away are delivered as deleted, with the reason
 * {@link ResourceEvent.Deleted.Reason#UNWATCHED}: another replica may be handling them
 * already. The handlers of the informer are invoked for the slots that this process owns.
 *
 * @param sharding the division of the slots between the replicas
 * @param by the property of an object that its slot follows from
 */
public record Shard(Sharding sharding, Key by) implements WatchedSet {

	@Override
	public @Nullable ObjectSelector selector() {
		Set<Integer> slots = this.sharding.assigned();
		return (slots != null) ? SlotSelector.of(this.by, this.sharding.slots(), slots) : null;
	}

	@Override
	public void follow(Runnable changed) {
		this.sharding.addListener(new Notifier(changed));
	}

	@Override
	public void unfollow(Runnable changed) {
		this.sharding.removeListener(new Notifier(changed));
	}

	@Override
	public InvocationGate gate() {
		return new SlotGate(this.sharding, this.by);
	}

	@Override
	public void check(ResourceType<?> resourceType) {
		if (this.by == Key.NAMESPACE && !resourceType.namespaced()) {
			throw new InvalidOptionException("shard.by",
					"cannot be namespace: " + resourceType + " is cluster-scoped. Set uid.");
		}
	}

	@Override
	public String toString() {
		return "shard of this replica";
	}

	/**
	 * Return the share of an informer.
	 * @param options the options of the informer
	 * @return the share; empty if it caches all objects or another set
	 */
	public static Optional<Shard> of(InformerOptions options) {
		return (options.watchedSet() instanceof Shard shard) ? Optional.of(shard) : Optional.empty();
	}

	/**
	 * Listener that is equal to another one with the same callback, so that it can be
	 * removed.
	 */
	private record Notifier(Runnable changed) implements ReplicaListener {

		@Override
		public void onEvent(ReplicaEvent event) {
			if (event instanceof SlotsAssigned) {
				this.changed.run();
			}
		}

	}

	/**
	 * Properties of an object that its slot follows from.
	 *
	 * @see <a href=
	 * "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/5866-server-side-sharded-list-and-watch">KEP-5866</a>
	 */
	public enum Key {

		/**
		 * The UID: objects are spread one by one. A server with the feature gate
		 * {@code ShardedListAndWatch} sends only the objects of the shard.
		 */
		UID,

		/**
		 * The namespace: all objects of a namespace belong to the same replica. The
		 * server sends all objects.
		 */
		NAMESPACE

	}

}
