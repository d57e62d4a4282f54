/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Lists that a {@link DeltaFifo} waits for: the first one of each namespace, which
 * completes the sync, and another one of each after a batch was given up. Guarded by the
 * lock of the queue.
 */
final class PendingLists {

	private final Set<String> unsynced;

	private final Set<String> awaitingRelist = new HashSet<>();

	private Set<String> namespaces;

	private boolean synced;

	PendingLists(Collection<String> namespaces) {
		this.namespaces = Set.copyOf(namespaces);
		this.unsynced = new HashSet<>(namespaces);
	}

	Set<String> namespaces() {
		return this.namespaces;
	}

	/**
	 * Set the namespaces. The lists of others are no longer waited for.
	 */
	void assign(Set<String> assigned) {
		this.awaitingRelist.retainAll(assigned);
		this.unsynced.retainAll(assigned);
		Set<String> joined = new HashSet<>(assigned);
		joined.removeAll(this.namespaces);
		this.unsynced.addAll(joined);
		this.namespaces = Set.copyOf(assigned);
	}

	/**
	 * Complete the sync without the lists of some namespaces.
	 */
	void excuse(Set<String> excused) {
		if (this.unsynced.removeAll(excused)) {
			updateSynced();
		}
	}

	/**
	 * Record that a list was queued.
	 */
	void queued(String namespace) {
		this.awaitingRelist.remove(namespace);
	}

	/**
	 * Record that a list was applied.
	 */
	void applied(String namespace) {
		this.unsynced.remove(namespace);
		updateSynced();
	}

	/**
	 * Complete the sync, unless a list is missing.
	 */
	void updateSynced() {
		this.synced |= this.unsynced.isEmpty();
	}

	boolean hasSynced() {
		return this.synced;
	}

	/**
	 * Wait for another list of each namespace.
	 */
	void awaitRelist() {
		this.awaitingRelist.addAll(this.namespaces);
	}

	boolean isAwaitingRelist() {
		return !this.awaitingRelist.isEmpty();
	}

	boolean isAwaitingRelist(String namespace) {
		return this.awaitingRelist.contains(namespace);
	}

}
