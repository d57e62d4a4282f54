/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * Clock of an informer, including timed waits. Everything in an informer that depends on
 * time uses it, so that a test can advance the time. Thread-safe.
 * <p>
 * Durations of users may be endless, such as {@code ChronoUnit.FOREVER.getDuration()},
 * for which {@link Duration#toNanos()} and {@link Instant#plus} throw. The static methods
 * convert and add durations instead; they limit them to about 100 years. Sums and
 * differences of two such times fit into a {@code long}.
 */
public interface TimeSource {

	/**
	 * System clock.
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
	 * Return a duration in nanoseconds, limited to about 100 years.
	 * @param duration the duration; may be negative
	 * @return the nanoseconds
	 */
	static long nanos(Duration duration) {
		return limited(duration).toNanos();
	}

	/**
	 * Return a duration in milliseconds, limited to about 100 years.
	 * @param duration the duration; may be negative
	 * @return the milliseconds
	 */
	static long millis(Duration duration) {
		return limited(duration).toMillis();
	}

	/**
	 * Add a duration to a time, limited to about 100 years.
	 * @param time the time
	 * @param duration the duration; may be negative
	 * @return the sum
	 */
	static Instant plus(Instant time, Duration duration) {
		return time.plus(limited(duration));
	}

	private static Duration limited(Duration duration) {
		Duration limit = Duration.ofDays(36_525);
		if (duration.compareTo(limit) > 0) {
			return limit;
		}
		return (duration.compareTo(limit.negated()) < 0) ? limit.negated() : duration;
	}

	/**
	 * Return the wall-clock time.
	 * @return the time
	 */
	Instant now();

	/**
	 * Return a monotonic time for measuring.
	 * @return nanoseconds since an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Return both times.
	 * @return the current moment
	 */
	default Moment moment() {
		return new Moment(now(), nanoTime());
	}

	/**
	 * Wait on a condition whose lock the caller holds. May return early, like
	 * {@link Condition#awaitNanos(long)}: check the predicate again.
	 * @param condition the condition
	 * @param nanos the maximum time to wait, in nanoseconds
	 * @throws InterruptedException if the waiting thread is interrupted
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
	 * Wait for a thread to end.
	 * @param thread the thread
	 * @param nanos the maximum time to wait, in nanoseconds
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	default void join(Thread thread, long nanos) throws InterruptedException {
		TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
	}

}
