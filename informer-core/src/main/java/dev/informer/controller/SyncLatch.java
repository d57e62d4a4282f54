/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads wait until an informer has synced or come as far as they want, or has
 * given up. Thread-safe.
 */
final class SyncLatch {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final String informer;

	private final TimeSource time;

	private final Runnable settled;

	private boolean synced;

	private @Nullable InformerFailure failure;

	/**
	 * Creates a latch.
	 * @param informer the name of the informer
	 * @param time the time
	 * @param settled is run when waiting has an end, one way or the other
	 */
	SyncLatch(String informer, TimeSource time, Runnable settled) {
		this.informer = informer;
		this.time = time;
		this.settled = settled;
	}

	boolean isSynced() {
		return locked(() -> this.synced);
	}

	/**
	 * Notes that the informer has synced.
	 */
	void synced() {
		boolean news = locked(() -> {
			boolean first = !this.synced;
			this.synced = true;
			this.changed.signalAll();
			return first;
		});
		if (news) {
			this.settled.run();
		}
	}

	/**
	 * Notes that the informer has given up, or that it is being started again.
	 */
	void failed(@Nullable InformerFailure failure) {
		locked(() -> {
			this.failure = failure;
			this.changed.signalAll();
			return true;
		});
		if (failure != null) {
			this.settled.run();
		}
	}

	/**
	 * Notes that the store has changed.
	 */
	void changed() {
		locked(() -> {
			this.changed.signalAll();
			return true;
		});
	}

	boolean await(Duration timeout) throws InterruptedException {
		return await(() -> this.synced, timeout);
	}

	/**
	 * Waits for something that is true only after a change that is noted here.
	 */
	boolean await(BooleanSupplier reached, Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long began = this.time.nanoTime();
			long remaining = timeout.toNanos();
			while (!reached.getAsBoolean() && this.failure == null && remaining > 0) {
				this.time.await(this.changed, remaining);
				remaining = timeout.toNanos() - (this.time.nanoTime() - began);
			}
			if (this.failure != null) {
				throw new InformerFailedException(this.informer, this.failure);
			}
			return reached.getAsBoolean();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean locked(Supplier<Boolean> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
