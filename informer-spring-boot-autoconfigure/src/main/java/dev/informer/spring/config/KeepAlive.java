/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

/**
 * Non-daemon thread that keeps the JVM alive. Thread-safe.
 */
final class KeepAlive {

	private @Nullable CountDownLatch stopped;

	synchronized void start() {
		if (this.stopped == null) {
			CountDownLatch latch = new CountDownLatch(1);
			Thread thread = new Thread(() -> {
				try {
					latch.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}, "informer-keep-alive");
			thread.setDaemon(false);
			thread.start();
			this.stopped = latch;
		}
	}

	synchronized void stop() {
		if (this.stopped != null) {
			this.stopped.countDown();
			this.stopped = null;
		}
	}

}
