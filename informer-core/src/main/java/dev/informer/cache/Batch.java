/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@link DeltaFifo#pop} hands over as one unit: readers of the store see all of it
 * or none. Batches come in the order in which the server's changes came, which is why
 * each one ends at a resource version that the whole store has then.
 *
 * @param <T> the type of the objects
 */
public sealed interface Batch<T> {

	/**
	 * Changes of single objects.
	 *
	 * @param <T> the type of the objects
	 * @param deltas per key what happened, oldest first; the keys in the order of their
	 * first change
	 * @param resourceVersions per scope the version that is reached with this batch
	 */
	record Changes<T>(Map<String, List<ObjectDelta<T>>> deltas,
			Map<String, String> resourceVersions) implements Batch<T> {
	}

	/**
	 * The whole state of a scope. Each of the objects counts as replaced; every other one
	 * that the store has in this scope when the batch is applied, and that is
	 * {@link #isGone gone}, counts as deleted with its final state unknown.
	 *
	 * @param <T> the type of the objects
	 * @param scope the namespace that is replaced, empty for everything
	 * @param objects the objects by key
	 * @param retained the keys of objects that are there but could not be decoded
	 * @param deleted the keys of objects that are known to be gone
	 * @param complete whether what is missing is gone, too; false when there was an
	 * object whose key could not be read
	 * @param resourceVersion the version of the state
	 * @param history which of the server's histories it belongs to: within one, an object
	 * with an equal UID and version is equal
	 */
	record Replacement<T>(String scope, Map<String, T> objects, Set<String> retained, Set<String> deleted,
			boolean complete, String resourceVersion, long history) implements Batch<T> {

		/**
		 * Whether an object of this scope is not there any more.
		 * @param key its key
		 * @return whether it is known to be gone
		 */
		public boolean isGone(String key) {
			return this.complete ? !this.objects.containsKey(key) && !this.retained.contains(key)
					: this.deleted.contains(key);
		}

	}

	/**
	 * Every object in the store is to be told again.
	 *
	 * @param <T> the type of the objects
	 * @param handlers who asked for it
	 * @param queued the keys for which there is something newer in the queue, which are
	 * left out
	 */
	record Resync<T>(Set<String> handlers, Set<String> queued) implements Batch<T> {
	}

}
