/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import dev.informer.client.TimeSource;

/**
 * Retries of a handler that throws, with exponential backoff. Each object is retried
 * independently; events of other objects are delivered in between. The delay is
 * {@code delay} after the first failure and {@code multiplier} times longer after each
 * further one, up to {@code maxDelay}. A random part of {@code jitter}, which grows with
 * the delay, is added to it.
 * <p>
 * Under {@link QueuePolicy#COALESCE} a newer state of the object replaces the one that
 * failed. It has all of its retries, but the delay is not reset. An object that is
 * deleted before its addition was delivered needs no invocation any more. Under
 * {@link QueuePolicy#KEEP_ALL} later events of the object wait for the failed one. Once
 * the retries are exhausted, the {@link HandlerErrorHandler} is notified and the event
 * counts as delivered.
 *
 * @param maxRetries the maximum number of retries of one event; 0 for none,
 * {@link #UNLIMITED} to retry until the handler returns
 * @param delay the delay before the first retry
 * @param multiplier the multiplier applied to the delay after each failure; at least 1
 * @param maxDelay the maximum delay, before the jitter
 * @param jitter the maximum random addition to the first delay, multiplied like the
 * delay; zero for none
 */
public record RetryPolicy(int maxRetries, Duration delay, double multiplier, Duration maxDelay, Duration jitter) {

	/**
	 * Number of retries without a limit: {@value}.
	 */
	public static final int UNLIMITED = -1;

	/**
	 * Four retries with delays of 800 ms, doubled up to 30 s, and a jitter of up to the
	 * delay itself.
	 */
	public static final RetryPolicy DEFAULT = new RetryPolicy(4, Duration.ofMillis(800), 2, Duration.ofSeconds(30),
			Duration.ofMillis(800));

	/**
	 * No retries.
	 */
	public static final RetryPolicy NONE = new RetryPolicy(0, DEFAULT.delay, DEFAULT.multiplier, DEFAULT.maxDelay,
			DEFAULT.jitter);

	/**
	 * Validate the values.
	 * @throws IllegalArgumentException if a value is invalid
	 */
	public RetryPolicy {
		require(maxRetries >= UNLIMITED, "max-retries",
				"must be at least 0, or " + UNLIMITED + " for no limit, not " + maxRetries);
		require(!delay.isNegative(), "delay", "must not be negative, but is " + millis(delay));
		require(multiplier >= 1, "multiplier", "must be at least 1, not " + multiplier);
		require(maxDelay.compareTo(delay) >= 0, "max-delay",
				"must not be shorter than the delay of " + millis(delay) + ", but is " + millis(maxDelay));
		require(!jitter.isNegative(), "jitter", "must not be negative, but is " + millis(jitter));
	}

	/**
	 * Return whether an attempt that has failed is followed by another one.
	 * @param attempt the number of the attempt, starting with 1
	 * @return whether there is a retry left
	 */
	public boolean permitsRetry(int attempt) {
		return this.maxRetries == UNLIMITED || attempt <= this.maxRetries;
	}

	/**
	 * Return the delay before a retry.
	 * @param failures the number of failures in a row, at least 1
	 * @param random a random number from 0 inclusive to 1 exclusive: the part of the
	 * jitter that is added
	 * @return the delay
	 */
	public Duration delay(int failures, double random) {
		double first = TimeSource.nanos(this.delay);
		// 0 times infinity is not a number
		double base = (first > 0)
				? Math.min(first * Math.pow(this.multiplier, failures - 1), TimeSource.nanos(this.maxDelay)) : 0;
		double scale = (first > 0) ? base / first : 1;
		return Duration.ofNanos((long) (base + TimeSource.nanos(this.jitter) * scale * random));
	}

	private static String millis(Duration duration) {
		return TimeSource.millis(duration) + " ms";
	}

	private static void require(boolean condition, String option, String reason) {
		if (!condition) {
			throw new InvalidOptionException("retry." + option, reason);
		}
	}

}
