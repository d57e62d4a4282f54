/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Lock of the state of one or more objects, with a condition that is signalled after each
 * change, so that a thread can wait for several of them at once. It is never held while
 * code of the user runs. Thread-safe.
 */
public final class StateLock {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final TimeSource time;

	/**
	 * Create a lock, whose waiting threads use a clock.
	 */
	public StateLock(TimeSource time) {
		this.time = time;
	}

	/**
	 * Return a value that is computed with the lock.
	 */
	public <R extends @Nullable Object> R get(Supplier<R> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Make a change and wake all waiting threads.
	 */
	public void change(Runnable change) {
		get(() -> {
			change.run();
			signalAll();
			return true;
		});
	}

	/**
	 * Wake all waiting threads. The caller holds the lock.
	 */
	public void signalAll() {
		this.changed.signalAll();
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each change, and return
	 * whether it holds.
	 */
	public boolean await(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long start = this.time.nanoTime();
			long remaining = nanos;
			while (!reached.getAsBoolean() && remaining > 0) {
				this.time.await(this.changed, remaining);
				remaining = nanos - (this.time.nanoTime() - start);
			}
			return reached.getAsBoolean();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait for the next change, unless a predicate holds. The wait may end early: the
	 * caller computes its time again.
	 */
	public void awaitChange(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			if (nanos > 0 && !reached.getAsBoolean()) {
				this.time.await(this.changed, nanos);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
