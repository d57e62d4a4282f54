/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.concurrent.TimeUnit;

import okio.AsyncTimeout;

/**
 * Timeout whose end may move later while it runs. Moving it costs nothing: when the timer
 * fires, it asks for the remaining time and continues.
 * <p>
 * Thread-safe.
 */
abstract class MovingTimeout {

	/** Far below the range of {@link System#nanoTime()}, which okio adds to it. */
	private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(1);

	private final Timer timer = new Timer();

	private boolean running;

	/**
	 * Start to run, or ask for the remaining time again because the end moved earlier.
	 */
	final void restart() {
		synchronized (this.timer) {
			this.timer.exit();
			this.running = true;
			arm(remainingNanos());
		}
	}

	/**
	 * End without expiring.
	 */
	final void stop() {
		synchronized (this.timer) {
			this.timer.exit();
			this.running = false;
		}
	}

	private void arm(long nanos) {
		this.timer.timeout(Math.max(1, Math.min(nanos, MAX_NANOS)), TimeUnit.NANOSECONDS);
		this.timer.enter();
	}

	private boolean isExpired() {
		synchronized (this.timer) {
			if (!this.running) {
				return false;
			}
			this.timer.exit();
			long remaining = remainingNanos();
			if (remaining > 0) {
				arm(remaining);
				return false;
			}
			this.running = false;
			return true;
		}
	}

	/**
	 * Return the time until the end. Invoked by any thread; must not block.
	 */
	abstract long remainingNanos();

	/**
	 * Handle the end. Invoked at most once per start, by a thread that serves all
	 * timeouts; must not block.
	 */
	abstract void expired();

	private final class Timer extends AsyncTimeout {

		@Override
		protected void timedOut() {
			try {
				if (isExpired()) {
					MovingTimeout.this.expired();
				}
			}
			catch (RuntimeException ex) {
				// ignored: thrown by an event listener of the caller's client. It would
				// end
				// the thread that serves all timeouts of the process.
			}
		}

	}

}
