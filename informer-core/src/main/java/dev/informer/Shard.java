/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Share of a resource that an informer caches: the objects in the slots that this process
 * is assigned. Objects of slots that move to this process are listed, and delivered as
 * added once it owns them. Those of slots that move away are delivered as deleted, with
 * the reason {@link ResourceEvent.Deleted.Reason#MOVED}. The handlers of the informer are
 * sharded as by {@link HandlerOptions#sharding()}.
 *
 * @param sharding the division of the slots between the replicas
 * @param by the property of an object that its slot follows from
 */
public record Shard(Sharding sharding, Key by) {

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
