/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Counter of the events of a handler, at almost no cost. Thread-safe.
 */
public class Tally {

	private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

	private final AtomicLong events = new AtomicLong();

	/**
	 * Count an event.
	 */
	public final void event() {
		this.events.lazySet(this.events.get() + 1);
	}

	/**
	 * Count an event.
	 * @param resourceVersion the resource version of its object
	 */
	public void event(@Nullable String resourceVersion) {
		event();
	}

	/**
	 * Return the number of events.
	 * @return the number of events
	 */
	public final long events() {
		return this.events.get();
	}

	/**
	 * Wait for events. Returns up to half a millisecond after the last one.
	 * @param total the number of events to wait for, counted from the start
	 * @param timeout the maximum wait
	 * @throws TimeoutException if fewer events were counted by then
	 */
	public final void await(long total, Duration timeout) throws TimeoutException {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (this.events.get() < total) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException(this.events.get() + " of " + total + " events after " + timeout);
			}
			LockSupport.parkNanos(POLL_NANOS);
		}
	}

}
