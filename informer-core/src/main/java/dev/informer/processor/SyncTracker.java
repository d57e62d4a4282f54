/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.informer.TimeSource;

/**
 * Progress of a handler through the initial list: it has synced once the whole list has
 * been distributed and each of its events has been delivered.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of the {@link ProcessorListener}, which only
 * {@link #hasSynced()} and {@link #await} do not expect to be held.
 */
final class SyncTracker {

	private final ReentrantLock lock;

	private final Condition changed;

	private final TimeSource time;

	private final List<Runnable> actions = new ArrayList<>();

	private boolean initialListDistributed;

	private volatile boolean synced;

	private boolean removed;

	SyncTracker(ReentrantLock lock, TimeSource time) {
		this.lock = lock;
		this.changed = lock.newCondition();
		this.time = time;
	}

	boolean hasSynced() {
		return this.synced;
	}

	/**
	 * Wait until the handler has synced or is removed.
	 */
	boolean await(Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			this.time.awaitUntil(this.changed, () -> this.synced || this.removed, TimeSource.nanos(timeout));
			return this.synced;
		}
		finally {
			this.lock.unlock();
		}
	}

	void addAction(Runnable action) {
		if (!this.removed) {
			this.actions.add(action);
		}
	}

	boolean hasDueActions() {
		return this.synced && !this.actions.isEmpty();
	}

	/**
	 * Remove and return the actions to run after the sync.
	 */
	List<Runnable> takeActions() {
		List<Runnable> due = List.copyOf(this.actions);
		this.actions.clear();
		return due;
	}

	void initialListDistributed() {
		this.initialListDistributed = true;
	}

	/**
	 * Check whether the handler has synced now.
	 * @param undelivered the number of undelivered events of the initial list
	 * @return whether it has just synced
	 */
	boolean update(int undelivered) {
		if (this.synced || !this.initialListDistributed || undelivered > 0) {
			return false;
		}
		this.synced = true;
		this.changed.signalAll();
		return true;
	}

	void remove() {
		this.removed = true;
		this.actions.clear();
		this.changed.signalAll();
	}

}
