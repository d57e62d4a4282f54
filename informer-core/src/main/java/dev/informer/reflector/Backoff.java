/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.BackoffPolicy;
import dev.informer.client.TimeSource;

/**
 * Delay after the next failure. Immutable.
 *
 * @param baseNanos the delay after the next failure, before cap and jitter
 * @param quietSince the nano time of the attempt that followed the last failure
 */
record Backoff(BackoffPolicy policy, double baseNanos, boolean failed, long quietSince) {

	/**
	 * Return a backoff without a failure.
	 */
	static Backoff of(BackoffPolicy policy) {
		return new Backoff(policy, TimeSource.nanos(policy.delay()), false, 0);
	}

	/**
	 * Return the backoff at a nano time: the initial one if the last attempt has not
	 * failed for long enough.
	 */
	Backoff at(long now) {
		boolean quiet = this.failed && now - this.quietSince >= TimeSource.nanos(this.policy.resetAfter());
		return quiet ? of(this.policy) : this;
	}

	/**
	 * Return the delay after a failure.
	 * @param cap the maximum delay, jitter included. A delay that reaches it keeps its
	 * share of jitter, so that clients which failed together do not return together
	 * @param random a number from 0 (inclusive) to 1 (exclusive)
	 */
	Duration delay(Duration cap, double random) {
		double jitter = (double) TimeSource.nanos(this.policy.jitter()) / TimeSource.nanos(this.policy.delay());
		double base = Math.min(this.baseNanos, TimeSource.nanos(cap) / (1 + jitter));
		return Duration.ofNanos((long) (base + random * jitter * base));
	}

	/**
	 * Return the backoff after a failure.
	 * @param nextAttempt the nano time of the next attempt
	 */
	Backoff failed(long nextAttempt) {
		double next = Math.min(this.baseNanos * this.policy.multiplier(), TimeSource.nanos(this.policy.maxDelay()));
		return new Backoff(this.policy, next, true, nextAttempt);
	}

}
