/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Timeout whose end may move later while it runs. Moving it costs nothing: when the timer
 * fires, it asks for the remaining time and continues.
 * <p>
 * The timer is not that of okio, which all clients of the process share: one timeout that
 * blocks its thread, or ends it by an error, would disable all others.
 * <p>
 * Thread-safe.
 */
abstract class MovingTimeout {

	private final ScheduledExecutorService timer;

	private final Object lock = new Object();

	private boolean running;

	private @Nullable Future<?> alarm;

	/**
	 * Create a timeout that does not run.
	 * @param timer the timer
	 */
	MovingTimeout(ScheduledExecutorService timer) {
		this.timer = timer;
	}

	/**
	 * Start to run, or ask for the remaining time again because the end moved earlier.
	 */
	final void restart() {
		synchronized (this.lock) {
			this.running = true;
			schedule(remainingNanos());
		}
	}

	/**
	 * End without expiring.
	 */
	final void stop() {
		synchronized (this.lock) {
			this.running = false;
			cancelAlarm();
		}
	}

	private void schedule(long nanos) {
		cancelAlarm();
		this.alarm = this.timer.schedule(this::check, Math.max(1, nanos), TimeUnit.NANOSECONDS);
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	private void check() {
		if (isExpired()) {
			boolean again = false;
			try {
				again = expired();
			}
			finally {
				synchronized (this.lock) {
					this.running &= again;
					if (this.running) {
						schedule(remainingNanos());
					}
				}
			}
		}
	}

	private boolean isExpired() {
		synchronized (this.lock) {
			if (!this.running) {
				return false;
			}
			long remaining = remainingNanos();
			if (remaining > 0) {
				schedule(remaining);
			}
			return remaining <= 0;
		}
	}

	/**
	 * Return the time until the end. Invoked by any thread; must not block.
	 */
	abstract long remainingNanos();

	/**
	 * Handle the end. Invoked by a thread that serves all timeouts of a connection; must
	 * not block.
	 * @return whether to continue, with another end
	 */
	abstract boolean expired();

}
