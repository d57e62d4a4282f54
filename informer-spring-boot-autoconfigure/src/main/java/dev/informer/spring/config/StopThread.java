/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

/**
 * Stops something on a thread of its own, so that what else is in its phase of the
 * lifecycle stops at the same time, and the context waits for no longer than the timeout
 * of the phase.
 */
final class StopThread {

	private StopThread() {
	}

	/**
	 * Starts the thread.
	 * @param name its name
	 * @param stop what to do
	 * @param callback is run once that has ended, however it did
	 */
	static void start(String name, Runnable stop, Runnable callback) {
		Thread thread = new Thread(() -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
	}

}
