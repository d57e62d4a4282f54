/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

/**
 * How long to wait between attempts that fail: {@code initial} at first, {@code factor}
 * times longer with each failure up to {@code max}, plus a random share of up to
 * {@code jitter} times that delay.
 *
 * @param initial the first delay
 * @param max the longest delay, before the jitter
 * @param factor by how much a delay is longer than the one before; at least 1
 * @param jitter the largest random share on top; 0 for none
 * @param resetAfter how long there must be no failure before the next one waits
 * {@code initial} again
 */
public record BackoffPolicy(Duration initial, Duration max, double factor, double jitter, Duration resetAfter) {

	/**
	 * 800 ms, doubled up to 30 s, up to twice as long by jitter, forgotten after two
	 * minutes without a failure.
	 */
	public static final BackoffPolicy DEFAULT = new BackoffPolicy(Duration.ofMillis(800), Duration.ofSeconds(30), 2, 1,
			Duration.ofMinutes(2));

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one of them makes no sense
	 */
	public BackoffPolicy {
		require(initial.toNanos() > 0, "initial must be longer than 0, not " + initial);
		require(max.compareTo(initial) >= 0, "max (" + max + ") must not be shorter than initial (" + initial + ")");
		require(factor >= 1, "factor must be at least 1, not " + factor);
		require(jitter >= 0, "jitter must be at least 0, not " + jitter);
		require(!resetAfter.isNegative(), "reset-after must not be negative, not " + resetAfter);
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException("Backoff: " + message);
		}
	}

}
