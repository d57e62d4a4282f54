/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import dev.informer.client.TimeSource;

/**
 * Exponential backoff between failed attempts of an informer. The delay is {@code delay}
 * after the first failure and {@code multiplier} times longer after each further one, up
 * to {@code maxDelay}. A random part of {@code jitter}, which grows with the delay, is
 * added to it.
 *
 * @param delay the delay after the first failure; longer than zero
 * @param multiplier the multiplier applied to the delay after each failure; at least 1
 * @param maxDelay the maximum delay, before the jitter
 * @param jitter the maximum random addition to the first delay, multiplied like the
 * delay; zero for none
 * @param resetAfter the time without failures after which the backoff is reset
 */
public record BackoffPolicy(Duration delay, double multiplier, Duration maxDelay, Duration jitter,
		Duration resetAfter) {

	/**
	 * 800 ms, doubled up to 30 s, with a jitter of up to the delay itself; reset after
	 * two minutes without a failure. These are client-go's values.
	 */
	public static final BackoffPolicy DEFAULT = new BackoffPolicy(Duration.ofMillis(800), 2, Duration.ofSeconds(30),
			Duration.ofMillis(800), Duration.ofMinutes(2));

	/**
	 * Validate the values.
	 * @throws IllegalArgumentException if a value is invalid
	 */
	public BackoffPolicy {
		require(TimeSource.nanos(delay) > 0, "delay", "must be longer than 0, but is " + millis(delay));
		require(multiplier >= 1, "multiplier", "must be at least 1, not " + multiplier);
		require(maxDelay.compareTo(delay) >= 0, "max-delay",
				"must not be shorter than the delay of " + millis(delay) + ", but is " + millis(maxDelay));
		require(!jitter.isNegative(), "jitter", "must not be negative, but is " + millis(jitter));
		require(!resetAfter.isNegative(), "reset-after", "must not be negative, but is " + millis(resetAfter));
	}

	private static String millis(Duration duration) {
		return TimeSource.millis(duration) + " ms";
	}

	private static void require(boolean condition, String option, String reason) {
		if (!condition) {
			throw new InvalidOptionException("backoff." + option, reason);
		}
	}

}
