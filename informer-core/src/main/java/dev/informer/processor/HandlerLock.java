/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Lock of one handler. It guards the queue, the threads, the sync and the pause reasons
 * of a {@link ProcessorListener}, and is never held while code of the user runs.
 */
final class HandlerLock {

	private final ReentrantLock lock = new ReentrantLock();

	/** Signalled when a thread of the handler may have something to do. */
	private final Condition work = this.lock.newCondition();

	/** Signalled when an invocation ends, and when less may be pending. */
	private final Condition progress = this.lock.newCondition();

	private final TimeSource time;

	HandlerLock(TimeSource time) {
		this.time = time;
	}

	void run(Runnable action) {
		get(() -> {
			action.run();
			return true;
		});
	}

	<R extends @Nullable Object> R get(Supplier<R> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Run code of the user without the lock, which the caller holds once.
	 */
	void runReleased(Runnable action) {
		this.lock.unlock();
		try {
			action.run();
		}
		finally {
			this.lock.lock();
		}
	}

	/**
	 * Wake all waiting threads. The lock is held.
	 */
	void signalAll() {
		this.work.signalAll();
		this.progress.signalAll();
	}

	/**
	 * Wake the threads that wait for progress. The lock is held.
	 */
	void signalProgress() {
		this.progress.signalAll();
	}

	/**
	 * Wait until there may be work. The lock is held.
	 */
	void awaitWork(long nanos) {
		try {
			this.time.await(this.work, nanos);
		}
		catch (InterruptedException ex) {
			// Only its phase ends a thread of a handler. The interrupt may stem from code
			// of the user, and an interrupt by a stop comes with a new phase.
		}
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each progress, and return
	 * whether it holds.
	 */
	boolean awaitProgress(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.progress, reached, nanos);
		}
		finally {
			this.lock.unlock();
		}
	}

}
