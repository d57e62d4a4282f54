/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Objects;

import dev.informer.BackoffPolicy;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Overrides single values of {@link BackoffPolicy} and {@link RetryPolicy}. Values that
 * are {@code null} are not overridden. A jitter that is not overridden keeps its ratio to
 * the delay.
 */
public final class Policies {

	private Policies() {
	}

	/**
	 * Override values of a backoff policy.
	 * @throws IllegalArgumentException if the values are invalid together
	 */
	public static BackoffPolicy override(BackoffPolicy policy, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Duration jitter, @Nullable Duration resetAfter) {
		Duration newDelay = Objects.requireNonNullElse(delay, policy.delay());
		return new BackoffPolicy(newDelay, Objects.requireNonNullElse(multiplier, policy.multiplier()),
				Objects.requireNonNullElse(maxDelay, policy.maxDelay()),
				(jitter != null) ? jitter : scale(policy.jitter(), policy.delay(), newDelay),
				Objects.requireNonNullElse(resetAfter, policy.resetAfter()));
	}

	/**
	 * Override values of a retry policy.
	 * @throws IllegalArgumentException if the values are invalid together
	 */
	public static RetryPolicy override(RetryPolicy policy, @Nullable Integer maxRetries, @Nullable Duration delay,
			@Nullable Double multiplier, @Nullable Duration maxDelay, @Nullable Duration jitter) {
		Duration newDelay = Objects.requireNonNullElse(delay, policy.delay());
		return new RetryPolicy(Objects.requireNonNullElse(maxRetries, policy.maxRetries()), newDelay,
				Objects.requireNonNullElse(multiplier, policy.multiplier()),
				Objects.requireNonNullElse(maxDelay, policy.maxDelay()),
				(jitter != null) ? jitter : scale(policy.jitter(), policy.delay(), newDelay));
	}

	private static Duration scale(Duration jitter, Duration delay, Duration newDelay) {
		if (delay.isZero() || newDelay.isNegative()) {
			return jitter;
		}
		double ratio = (double) TimeSource.nanos(newDelay) / TimeSource.nanos(delay);
		return Duration.ofNanos((long) (TimeSource.nanos(jitter) * ratio));
	}

}
