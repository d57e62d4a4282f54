/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Thread that waits for a request. It is interrupted only while it does, and does not
 * keep the interrupt afterwards. Thread-safe.
 */
final class RequestThread {

	private @Nullable Thread waiting;

	private boolean interrupted;

	/**
	 * Note that the current thread begins to wait.
	 */
	synchronized void begin() {
		this.waiting = Thread.currentThread();
	}

	/**
	 * Note that the current thread no longer waits.
	 */
	synchronized void end() {
		this.waiting = null;
		if (this.interrupted) {
			this.interrupted = false;
			Thread.interrupted();
		}
	}

	/**
	 * Interrupt the thread if it waits, and return whether it does.
	 */
	synchronized boolean interrupt() {
		if (this.waiting == null) {
			return false;
		}
		this.interrupted = true;
		this.waiting.interrupt();
		return true;
	}

}
