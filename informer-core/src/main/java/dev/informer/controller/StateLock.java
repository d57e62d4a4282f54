/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Lock of state that several objects share, with a condition that is signalled after each
 * change, so that a thread can wait for several of them at once. Thread-safe.
 */
final class StateLock {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final TimeSource time;

	StateLock(TimeSource time) {
		this.time = time;
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
	 * Make a change and wake all waiting threads.
	 */
	void change(Runnable change) {
		get(() -> {
			change.run();
			this.changed.signalAll();
			return true;
		});
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each change, and return
	 * whether it holds.
	 */
	boolean await(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.changed, reached, nanos);
		}
		finally {
			this.lock.unlock();
		}
	}

}
