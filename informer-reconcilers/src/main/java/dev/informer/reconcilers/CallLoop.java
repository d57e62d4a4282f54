/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a key in a row, of which each seems to cause the next one: it has written
 * something or asked for the next one at once, and the key was idle for a moment at most.
 */
final class CallLoop {

	/**
	 * Time without anything to do that ends a loop; the event of a write comes earlier.
	 */
	private static final long MAX_IDLE = TimeSource.nanos(Duration.ofSeconds(1));

	private static final long MINUTES = TimeSource.nanos(Duration.ofMinutes(3));

	private static final int MIN_CALLS = 20;

	/** Calls that are rarer load no server. */
	private static final long MAX_PERIOD = TimeSource.nanos(Duration.ofSeconds(30));

	private long calls;

	private long first;

	private long last;

	private @Nullable Long idleSince;

	void called(long now) {
		this.first = (this.calls == 0) ? now : this.first;
		this.last = now;
		this.calls++;
		this.idleSince = null;
	}

	/**
	 * End the loop, unless a result may cause the next call.
	 */
	void ended(CallResult result, long minInterval) {
		Duration delay = result.delay();
		boolean atOnce = delay != null && TimeSource.nanos(delay) < Math.max(minInterval, MAX_IDLE);
		boolean continues = switch (result.kind()) {
			case SUCCEEDED -> atOnce || !result.writes().isEmpty();
			case LATER, CONFLICT -> atOnce;
			case REPEATED, PREPARED -> true;
			case FAILED, ENDED -> false;
		};
		if (!continues) {
			end();
		}
	}

	void end() {
		this.calls = 0;
	}

	/**
	 * Note that there is nothing to do.
	 * @return the time at which the loop ends; {@code null} if there is none
	 */
	@Nullable Long idle(long now) {
		this.idleSince = (this.idleSince != null) ? this.idleSince : now;
		if (now - this.idleSince >= MAX_IDLE) {
			end();
		}
		return (this.calls != 0) ? this.idleSince + MAX_IDLE : null;
	}

	/**
	 * Return whether the calls have been following each other for minutes.
	 */
	boolean isLong() {
		long nanos = this.last - this.first;
		return this.calls >= MIN_CALLS && nanos >= MINUTES && nanos / (this.calls - 1) <= MAX_PERIOD;
	}

	@Override
	public String toString() {
		return this.calls + " times in " + Duration.ofNanos(this.last - this.first).toSeconds() + " s";
	}

}
