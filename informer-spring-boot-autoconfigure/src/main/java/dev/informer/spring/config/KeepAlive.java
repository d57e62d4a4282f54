/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive by a thread that is no daemon, for applications without a web
 * server: the threads of the informers do not. Thread-safe.
 */
final class KeepAlive {

	private @Nullable CountDownLatch released;

	synchronized void start() {
		if (this.released == null) {
			CountDownLatch latch = new CountDownLatch(1);
			Thread thread = new Thread(() -> awaitRelease(latch), "informer-keep-alive");
			thread.setDaemon(false);
			thread.start();
			this.released = latch;
		}
	}

	synchronized void stop() {
		if (this.released != null) {
			this.released.countDown();
			this.released = null;
		}
	}

	private static void awaitRelease(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
