/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.TimeSource;
import dev.informer.processor.SharedProcessor;

/**
 * Stop of the current runs of some informers, with one deadline for all of them. Used by
 * one thread.
 */
final class Shutdown {

	/** Time that the threads of a run have to end once handlers may no longer drain. */
	private static final long GRACE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final List<Thread> threads = new ArrayList<>();

	private final List<SharedProcessor<?>> processors = new ArrayList<>();

	private final TimeSource time;

	Shutdown(TimeSource time) {
		this.time = time;
	}

	/**
	 * Add a run that was signalled to stop.
	 * @param threads its threads
	 * @param processor the processor of its informer
	 */
	void add(List<Thread> threads, SharedProcessor<?> processor) {
		this.threads.addAll(threads);
		this.processors.add(processor);
	}

	/**
	 * Wait for the end of all runs.
	 * @param drain the time for which handlers may process pending events
	 */
	void await(Duration drain) {
		long deadline = this.time.nanoTime() + TimeSource.nanos(drain);
		try {
			// threads first: the batch in process is to reach the handlers before they
			// drain
			for (Thread thread : this.threads) {
				long remaining = deadline + GRACE_NANOS - this.time.nanoTime();
				if (thread != Thread.currentThread() && remaining > 0) {
					this.time.join(thread, remaining);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		SharedProcessor.awaitStop(this.processors, deadline, this.time);
	}

}
