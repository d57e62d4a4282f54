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
 * The end of the runs of some informers, with one deadline for all of them: everything is
 * told to end at once, handlers may go on with what is queued until the deadline, then
 * they are interrupted, and one that does not react is left behind. Used by one thread.
 */
final class Shutdown {

	/**
	 * How long threads that were told to end at once may take to do so.
	 */
	private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

	private final List<Controller<?>> controllers = new ArrayList<>();

	private final List<SharedProcessor<?>> processors = new ArrayList<>();

	private final TimeSource time;

	Shutdown(TimeSource time) {
		this.time = time;
	}

	/**
	 * Tells a run to end.
	 */
	void begin(Controller<?> controller, SharedProcessor<?> processor) {
		controller.signalStop();
		processor.ending();
		this.controllers.add(controller);
		this.processors.add(processor);
	}

	/**
	 * Waits for the end of all runs.
	 * @param drain how long handlers may go on
	 */
	void await(Duration drain) {
		long deadline = this.time.nanoTime() + drain.toNanos();
		try {
			for (Controller<?> controller : this.controllers) {
				controller.awaitEnd(deadline + GRACE_NANOS);
			}
			this.processors.forEach(SharedProcessor::drain);
			for (SharedProcessor<?> processor : this.processors) {
				processor.awaitEnd(deadline);
			}
			this.processors.forEach(SharedProcessor::halt);
			long last = this.time.nanoTime() + GRACE_NANOS;
			for (SharedProcessor<?> processor : this.processors) {
				processor.awaitEnd(last);
			}
		}
		catch (InterruptedException ex) {
			this.processors.forEach(SharedProcessor::halt);
			Thread.currentThread().interrupt();
		}
		this.processors.forEach(SharedProcessor::reportStuck);
	}

}
