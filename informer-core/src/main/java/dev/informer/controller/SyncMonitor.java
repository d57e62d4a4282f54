/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.informer.TimeSource;

/**
 * Lock and condition that the informers of a factory share, so that a thread can wait for
 * several of them at once. Thread-safe.
 */
final class SyncMonitor {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final TimeSource time;

	SyncMonitor(TimeSource time) {
		this.time = time;
	}

	/**
	 * Make a change and wake all waiting threads.
	 */
	void change(Runnable change) {
		this.lock.lock();
		try {
			change.run();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each change.
	 * @return whether it holds
	 */
	boolean await(BooleanSupplier reached, Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.changed, reached, TimeSource.nanos(timeout));
		}
		finally {
			this.lock.unlock();
		}
	}

}
