/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Events at a fixed rate, each stamped with the time at which it was sent. An event that
 * the client kept the server from sending in time is stamped with the time at which it
 * was due, so that a slow client does not slow down its own measurement. Thread-safe; for
 * one watch.
 */
final class EventPace {

	private final long first;

	private final double nanosPerEvent;

	/** The watch is waiting for events, and needs a moment to continue. */
	private final long began = WallClock.nanos() + TimeUnit.MILLISECONDS.toNanos(100);

	private final AtomicLongArray stamps;

	/**
	 * Create a pace that begins soon.
	 * @param first the number of the first event
	 * @param count the number of events
	 * @param rate the number of events per second
	 */
	EventPace(long first, int count, long rate) {
		this.first = first;
		this.nanosPerEvent = TimeUnit.SECONDS.toNanos(1) / (double) rate;
		this.stamps = new AtomicLongArray(count);
	}

	/**
	 * Wait until an event is due, and stamp it.
	 * @param sequence the number of the event
	 */
	void await(long sequence) {
		int index = (int) (sequence - this.first);
		if (index < 0 || index >= this.stamps.length()) {
			return;
		}
		long due = this.began + (long) (index * this.nanosPerEvent);
		long now = WallClock.nanos();
		if (now >= due) {
			this.stamps.set(index, due);
			return;
		}
		while (now < due) {
			LockSupport.parkNanos(due - now);
			now = WallClock.nanos();
		}
		this.stamps.set(index, now);
	}

	/**
	 * Return the stamps: a line with version and time for each event that was sent.
	 */
	String stamps() {
		StringBuilder lines = new StringBuilder();
		for (int index = 0; index < this.stamps.length(); index++) {
			if (this.stamps.get(index) > 0) {
				lines.append(ChangeLog.version(this.first + index))
					.append(' ')
					.append(this.stamps.get(index))
					.append('\n');
			}
		}
		return lines.toString();
	}

}
