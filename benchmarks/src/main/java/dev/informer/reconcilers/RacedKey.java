/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import dev.informer.InvocationGate.Access;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Key of an object whose state is a number. As in a reconciler, the lock is not held
 * during a call.
 */
@NullMarked
public final class RacedKey {

	private final ReentrantLock lock = new ReentrantLock();

	private final KeyQueue queue = new KeyQueue(0, (key) -> Access.OPEN);

	private volatile int cached;

	private int seen;

	private int calls;

	private int most;

	private @Nullable Entry entry;

	/**
	 * Let the key wait for a call.
	 */
	public void trigger() {
		locked(() -> this.queue.trigger("key", Trigger.PRIMARY, 0));
	}

	/**
	 * Change the object.
	 * @param state the new state
	 */
	public void change(int state) {
		this.cached = state;
		trigger();
	}

	/**
	 * Delete the object.
	 */
	public void delete() {
		locked(() -> this.queue.deleted("key", 0));
	}

	/**
	 * Make a call if the key waits for one.
	 */
	public void call() {
		if (begin()) {
			end();
		}
	}

	/**
	 * Begin a call.
	 * @return whether the key waited for one
	 */
	public boolean begin() {
		this.lock.lock();
		try {
			Entry taken = this.queue.take(0);
			if (taken == null) {
				return false;
			}
			this.entry = taken;
			this.calls++;
			this.most = Math.max(this.most, this.calls);
		}
		finally {
			this.lock.unlock();
		}
		this.seen = this.cached;
		return true;
	}

	/**
	 * End a call.
	 */
	public void end() {
		locked(() -> {
			this.calls--;
			this.queue.end(Objects.requireNonNull(this.entry), CallResult.succeeded(null, List.of()), 0);
		});
	}

	/**
	 * Return the state that the last call has seen.
	 * @return the state
	 */
	public int seen() {
		return this.seen;
	}

	/**
	 * Return the largest number of calls at the same time.
	 * @return the number
	 */
	public int most() {
		return this.most;
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

}
