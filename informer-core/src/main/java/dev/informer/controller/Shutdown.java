/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.TimeSource;
import dev.informer.processor.SharedProcessor;

/**
 * Stop of the current runs of some informers, with one deadline for all of them. Used by
 * one thread.
 */
final class Shutdown {

	/** Time that the threads of a run have to end once handlers may no longer drain. */
	private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

	private final List<Controller<?>> controllers = new ArrayList<>();

	private final List<SharedProcessor<?>> processors = new ArrayList<>();

	private final TimeSource time;

	Shutdown(TimeSource time) {
		this.time = time;
	}

	/**
	 * Signal a run to end.
	 */
	void begin(Controller<?> controller, SharedProcessor<?> processor) {
		controller.signalStop();
		processor.requestStop();
		this.controllers.add(controller);
		this.processors.add(processor);
	}

	/**
	 * Wait for the end of all runs.
	 * @param drain the time for which handlers may process pending events
	 */
	void await(Duration drain) {
		long deadline = this.time.nanoTime() + drain.toNanos();
		try {
			// what is applied to the cache right now is to reach the handlers before they
			// drain
			for (Controller<?> controller : this.controllers) {
				controller.awaitEnd(deadline + GRACE_NANOS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		SharedProcessor.stopAll(this.processors, deadline, this.time);
	}

}
