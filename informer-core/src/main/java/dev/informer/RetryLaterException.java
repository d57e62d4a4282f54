/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Request of a handler to be invoked again later, because what it needs is not there yet:
 * a conflict of a write (409), or another object that does not exist. It is no failure.
 * It is logged at DEBUG, counted by no meter of failures, not passed to the
 * {@link HandlerErrorHandler} and uses up none of the retries of the {@link RetryPolicy}.
 * A policy without retries honours it as well.
 * <p>
 * Under {@link QueuePolicy#COALESCE} a newer state of the object replaces the one of the
 * request and is delivered at the same time. Under {@link QueuePolicy#KEEP_ALL} later
 * events of the object wait. The handler has not synced before the event of an initial
 * object is handled. Has no stack trace. Immutable.
 */
public final class RetryLaterException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final @Nullable Duration delay;

	/**
	 * Create a request to be invoked again after the delay of the {@link RetryPolicy},
	 * which grows with each request and each failure of the object in a row.
	 * @param reason the reason, for the log at DEBUG
	 */
	public RetryLaterException(String reason) {
		this(reason, (Duration) null);
	}

	/**
	 * Create a request to be invoked again after a delay.
	 * @param reason the reason, for the log at DEBUG
	 * @param delay the delay; {@code null} for that of the {@link RetryPolicy}
	 * @throws IllegalArgumentException if the delay is negative
	 */
	public RetryLaterException(String reason, @Nullable Duration delay) {
		super(reason, null, false, false);
		if (delay != null && delay.isNegative()) {
			throw new IllegalArgumentException(
					"The delay must not be negative, but is " + TimeSource.millis(delay) + " ms");
		}
		this.delay = delay;
	}

	/**
	 * Return the delay.
	 * @return the delay; {@code null} for that of the {@link RetryPolicy}
	 */
	public @Nullable Duration delay() {
		return this.delay;
	}

}
