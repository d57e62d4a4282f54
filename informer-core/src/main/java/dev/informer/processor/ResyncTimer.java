/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

import dev.informer.client.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timer of the resyncs of a handler. Not thread-safe, used by the process loop.
 */
final class ResyncTimer {

	private static final Logger logger = LoggerFactory.getLogger(SharedProcessor.class);

	private static final Duration MIN_PERIOD = Duration.ofSeconds(1);

	private final Duration period;

	private long next;

	/**
	 * Create a timer that begins now. A period below the minimum is raised.
	 * @param period the period; zero for no resyncs
	 */
	ResyncTimer(Duration period, String informer, String handler, long now) {
		boolean tooShort = !period.isZero() && period.compareTo(MIN_PERIOD) < 0;
		this.period = tooShort ? MIN_PERIOD : period;
		this.next = now + TimeSource.nanos(this.period);
		if (tooShort) {
			logger.atWarn()
				.addKeyValue("informer", informer)
				.addKeyValue("handler", handler)
				.log("Informer '{}' raised the resync period of handler '{}' from {} ms to {} ms", informer, handler,
						TimeSource.millis(period), TimeSource.millis(this.period));
		}
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
