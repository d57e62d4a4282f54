/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Point in time that limits a wait.
 */
final class Deadline {

	private static final long POLL_MILLIS = 50;

	private final Duration timeout;

	private final long end;

	private Deadline(Duration timeout) {
		this.timeout = timeout;
		this.end = System.nanoTime() + timeout.toNanos();
	}

	static Deadline in(Duration timeout) {
		return new Deadline(timeout);
	}

	/**
	 * Wait until a condition is true.
	 * @param condition evaluated repeatedly, in the calling thread; an exception it
	 * throws ends the wait
	 * @param failure says what was waited for, when it did not come
	 * @throws IllegalStateException when the time is over or the thread is interrupted
	 */
	void await(BooleanSupplier condition, Supplier<String> failure) {
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - this.end > 0) {
				throw new IllegalStateException("Timed out after %s: %s".formatted(this.timeout, failure.get()));
			}
			try {
				TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while waiting: " + failure.get(), ex);
			}
		}
	}

}
