/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

/**
 * Says when a handler is due for a resync. Not thread-safe, used by the thread of the
 * store.
 */
final class ResyncTimer {

	private final Duration period;

	private long next;

	ResyncTimer(Duration period, long now) {
		this.period = period;
		this.next = now + period.toNanos();
	}

	/**
	 * Whether a resync is due. If so, the next one is due a period later.
	 */
	boolean takeDue(long now) {
		if (this.period.isZero() || now - this.next < 0) {
			return false;
		}
		this.next = now + this.period.toNanos();
		return true;
	}

	/**
	 * How long until the next resync is due, in nanoseconds.
	 */
	long nanosToNext(long now) {
		return this.period.isZero() ? Long.MAX_VALUE : Math.max(0, this.next - now);
	}

}
