/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.function.DoubleSupplier;

import dev.informer.BackoffPolicy;
import dev.informer.TimeSource;

/**
 * Counts failures in a row and says how long to wait after each. Not thread-safe.
 */
final class Backoff {

	private final BackoffPolicy policy;

	private final TimeSource time;

	private final DoubleSupplier random;

	private double nextNanos;

	private long lastFailure;

	private boolean failed;

	/**
	 * Creates a backoff without a failure.
	 * @param policy how long to wait
	 * @param time the time
	 * @param random gives numbers from 0 inclusive to 1 exclusive
	 */
	Backoff(BackoffPolicy policy, TimeSource time, DoubleSupplier random) {
		this.policy = policy;
		this.time = time;
		this.random = random;
		this.nextNanos = policy.delay().toNanos();
	}

	/**
	 * Counts a failure.
	 * @param cap the longest delay before the jitter, besides the policy's own
	 * @return how long to wait now
	 */
	Duration next(Duration cap) {
		long now = this.time.nanoTime();
		if (this.failed && now - this.lastFailure >= this.policy.resetAfter().toNanos()) {
			this.nextNanos = this.policy.delay().toNanos();
		}
		this.failed = true;
		double base = Math.min(this.nextNanos, cap.toNanos());
		double jitter = this.policy.jitter().toNanos() * base / this.policy.delay().toNanos();
		long delay = (long) (base + this.random.getAsDouble() * jitter);
		this.lastFailure = now + delay;
		this.nextNanos = Math.min(this.nextNanos * this.policy.multiplier(), this.policy.maxDelay().toNanos());
		return Duration.ofNanos(delay);
	}

}
