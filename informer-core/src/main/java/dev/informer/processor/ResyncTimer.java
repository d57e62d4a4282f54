/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

import dev.informer.TimeSource;

/**
 * Timer of the resyncs of a handler. Not thread-safe, used by the process loop.
 */
final class ResyncTimer {

	private final Duration period;

	private long next;

	ResyncTimer(Duration period, long now) {
		this.period = period;
		this.next = now + TimeSource.nanos(period);
	}

	/**
	 * Return whether a resync is due, and if so, begin the next period.
	 */
	boolean takeDue(long now) {
		if (this.period.isZero() || now - this.next < 0) {
			return false;
		}
		this.next = now + TimeSource.nanos(this.period);
		return true;
	}

	/**
	 * Return the time until the next resync, in nanoseconds.
	 */
	long nanosToNext(long now) {
		return this.period.isZero() ? Long.MAX_VALUE : Math.max(0, this.next - now);
	}

}
