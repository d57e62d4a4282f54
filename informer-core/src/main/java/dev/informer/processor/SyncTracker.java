/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a handler through the initial list: it has synced once the whole list has
 * been distributed and each of its events has been delivered.
 * <p>
 * <b>Concurrency.</b> Guarded by the {@link HandlerLock}, which only {@link #hasSynced()}
 * and {@link #await} do not expect to be held.
 */
final class SyncTracker {

	private final HandlerLock lock;

	private final BooleanSupplier undelivered;

	private final List<Runnable> actions = new ArrayList<>();

	private boolean initialListDistributed;

	private volatile boolean synced;

	private boolean removed;

	/**
	 * Create the tracker of a handler.
	 * @param lock the lock of the handler
	 * @param undelivered returns whether an event of the initial list may be undelivered
	 */
	SyncTracker(HandlerLock lock, BooleanSupplier undelivered) {
		this.lock = lock;
		this.undelivered = undelivered;
	}

	boolean hasSynced() {
		return this.synced;
	}

	/**
	 * Wait until the handler has synced or is removed.
	 * @param refusal supplies the exception to throw once the handler cannot sync any
	 * more; {@code null} while it can
	 */
	boolean await(Duration timeout, Supplier<@Nullable RuntimeException> refusal) throws InterruptedException {
		this.lock.awaitProgress(() -> this.synced || this.removed || refusal.get() != null, TimeSource.nanos(timeout));
		RuntimeException refused = (this.synced || this.lock.get(() -> this.removed)) ? null : refusal.get();
		if (refused != null) {
			throw refused;
		}
		return this.synced;
	}

	void addAction(Runnable action) {
		if (!this.removed) {
			this.actions.add(action);
			this.lock.signalAll();
		}
	}

	boolean hasDueActions() {
		return this.synced && !this.actions.isEmpty();
	}

	/**
	 * Remove and return the next of the actions to run after the sync.
	 */
	Runnable takeAction() {
		return this.actions.remove(0);
	}

	void initialListDistributed() {
		this.initialListDistributed = true;
		update();
	}

	/**
	 * Check whether the handler has synced.
	 * @return whether it has, and had not before
	 */
	boolean update() {
		if (this.synced || !this.initialListDistributed || this.undelivered.getAsBoolean()) {
			return false;
		}
		this.synced = true;
		this.lock.signalAll();
		return true;
	}

	void remove() {
		this.removed = true;
		this.actions.clear();
		this.lock.signalAll();
	}

}
