/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import dev.informer.client.ObjectSelector;
import dev.informer.client.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Objects that an informer lists, watches and caches, where they change while it runs.
 * Those that join are delivered as added. Those that leave are delivered as deleted, with
 * the reason {@link ResourceEvent.Deleted.Reason#UNWATCHED}. Implementations are
 * thread-safe, and {@code equal} if they select the same objects at all times.
 *
 * @see InformerOptions#watchedSet()
 */
public interface WatchedSet {

	/**
	 * Return the objects in the namespaces of the informer that it watches now. The
	 * informer has not synced before they are known.
	 * @return the objects; {@code null} as long as they are unknown
	 */
	@Nullable ObjectSelector selector();

	/**
	 * Call back after each change of the selector.
	 * @param changed the callback, which does not wait
	 */
	void follow(Runnable changed);

	/**
	 * End the calls of a callback.
	 * @param changed the callback
	 */
	void unfollow(Runnable changed);

	/**
	 * Return the gate of all handlers of the informer.
	 * @return the gate; {@link InvocationGate#OPEN} for handlers with a gate each
	 */
	default InvocationGate gate() {
		return InvocationGate.OPEN;
	}

	/**
	 * Check that the objects of a resource can be selected.
	 * @param resourceType the resource
	 * @throws InvalidOptionException if they cannot
	 */
	default void check(ResourceType<?> resourceType) {
	}

}
