/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

/**
 * How often a call of a handler that throws is tried again, and when. Each object is
 * tried on its own, others go on meanwhile. The wait is {@code initialDelay} after the
 * first failure and {@code factor} times longer with each further one up to
 * {@code maxDelay}, plus a random share of up to {@code jitter} times that delay.
 * <p>
 * Under {@link QueuePolicy#COALESCE} the newest state of the object takes the place of
 * the one that failed, with as many attempts of its own, but without a shorter wait; an
 * object that was never told and is gone by then needs no call any more. Under
 * {@link QueuePolicy#KEEP_ALL} what happens to the object waits behind the call that
 * failed. Once the last attempt has failed, the {@link HandlerErrorHandler} is told so,
 * and what the handler should have been told counts as told.
 *
 * @param maxAttempts how often a state is told at most; 1 for no second attempt
 * @param initialDelay the first wait
 * @param maxDelay the longest wait, before the jitter
 * @param factor by how much a wait is longer than the one before; at least 1
 * @param jitter the largest random share on top; 0 for none
 */
public record RetryPolicy(int maxAttempts, Duration initialDelay, Duration maxDelay, double factor, double jitter) {

	/**
	 * Five attempts; waits of 800 ms, doubled up to 30 s, up to twice as long by jitter.
	 */
	public static final RetryPolicy DEFAULT = new RetryPolicy(5, Duration.ofMillis(800), Duration.ofSeconds(30), 2, 1);

	/**
	 * No second attempt.
	 */
	public static final RetryPolicy NONE = new RetryPolicy(1, DEFAULT.initialDelay, DEFAULT.maxDelay, 2, 1);

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one of them makes no sense
	 */
	public RetryPolicy {
		require(maxAttempts >= 1, "max-attempts must be at least 1, which turns it off, not " + maxAttempts);
		require(!initialDelay.isNegative(), "initial-delay must not be negative, not " + initialDelay);
		require(maxDelay.compareTo(initialDelay) >= 0,
				"max-delay (" + maxDelay + ") must not be shorter than initial-delay (" + initialDelay + ")");
		require(factor >= 1, "factor must be at least 1, not " + factor);
		require(jitter >= 0, "jitter must be at least 0, not " + jitter);
	}

	/**
	 * The wait after some failures.
	 * @param failures how many there were in a row, at least 1
	 * @param random from 0 inclusive to 1 exclusive: how much of the jitter is added
	 * @return how long to wait before the next attempt
	 */
	public Duration delay(int failures, double random) {
		double base = Math.min(this.initialDelay.toNanos() * Math.pow(this.factor, failures - 1),
				this.maxDelay.toNanos());
		return Duration.ofNanos((long) (base + base * this.jitter * random));
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException("Retry of a handler: " + message);
		}
	}

}
