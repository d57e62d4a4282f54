/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * Tells the time and waits for it. Everything in an informer that depends on time goes
 * through this, so that a test can turn the clock instead of waiting for it. Thread-safe.
 */
public interface TimeSource {

	/**
	 * The time of this machine.
	 */
	TimeSource SYSTEM = new TimeSource() {

		@Override
		public Instant now() {
			return Instant.now();
		}

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public void await(Condition condition, long nanos) throws InterruptedException {
			condition.awaitNanos(nanos);
		}

	};

	/**
	 * The time on the wall.
	 * @return the time
	 */
	Instant now();

	/**
	 * A time that only ever goes forward, for measuring.
	 * @return nanoseconds since some moment
	 */
	long nanoTime();

	/**
	 * Waits for a condition, whose lock the caller holds. May return early, as
	 * {@link Condition#awaitNanos(long)} does: look again at what was waited for.
	 * @param condition what to wait for
	 * @param nanos how long to wait at most
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	void await(Condition condition, long nanos) throws InterruptedException;

	/**
	 * Wait until a predicate holds. The caller holds the lock of the condition, and the
	 * condition is signalled whenever the predicate may have changed.
	 * @param condition the condition to wait on
	 * @param predicate the predicate, evaluated with the lock held
	 * @param nanos the maximum time to wait, in nanoseconds
	 * @return whether the predicate holds
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	default boolean awaitUntil(Condition condition, BooleanSupplier predicate, long nanos) throws InterruptedException {
		long start = nanoTime();
		long remaining = nanos;
		// Subtracting from the start keeps Long.MAX_VALUE, "no limit", free of overflow
		while (!predicate.getAsBoolean() && remaining > 0) {
			await(condition, remaining);
			remaining = nanos - (nanoTime() - start);
		}
		return predicate.getAsBoolean();
	}

	/**
	 * Waits for a thread to end.
	 * @param thread what to wait for
	 * @param nanos how long to wait at most
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	default void join(Thread thread, long nanos) throws InterruptedException {
		TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
	}

}
