/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.PriorityQueue;

import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.client.TimeSource;
import dev.informer.support.FailureLog;
import dev.informer.work.Work;
import dev.informer.work.WorkerThreads;
import dev.informer.work.WorkerThreads.Phase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that runs short actions later, such as the timeouts of calls.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The lock of {@link WorkerThreads} guards the actions,
 * and is not held while one runs.
 */
final class CallTimer implements Work<Void> {

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final TimeSource time;

	private final WorkerThreads<Void> threads;

	private final PriorityQueue<Timeout> timeouts = new PriorityQueue<>(
			(one, other) -> Long.signum(one.due - other.due));

	CallTimer(InformerFactory factory) {
		this.time = factory.time();
		this.threads = new WorkerThreads<>(this, 1, InvocationGate.OPEN,
				(suffix, task) -> factory.newThread("informer-reconciler-timeouts", task), this.time);
	}

	/**
	 * Start the thread. If that fails, the next action starts it.
	 */
	void start() {
		this.threads.locked(this.threads::start);
		this.threads.startNeeded();
	}

	/**
	 * Let the thread end until the next start.
	 */
	void stop() {
		this.threads.locked(this.threads::stop);
	}

	void close() {
		this.threads.locked(this.threads::remove);
	}

	/**
	 * Run an action after a delay, unless it is cancelled before.
	 */
	Timeout schedule(Runnable action, Duration delay) {
		Timeout timeout = new Timeout(action, this.time.nanoTime() + TimeSource.nanos(delay));
		this.threads.locked(() -> {
			this.timeouts.add(timeout);
			this.threads.signalWork();
		});
		this.threads.startNeeded();
		return timeout;
	}

	void cancel(Timeout timeout) {
		this.threads.locked(() -> this.timeouts.remove(timeout));
	}

	@Override
	public String subject() {
		return "the timeouts of reconcilers";
	}

	@Override
	public int threadsNeeded(boolean idle) {
		return 1;
	}

	@Override
	public boolean runNext() {
		Timeout due = this.threads.get(this::next);
		if (due != null) {
			due.action.run();
		}
		return due != null;
	}

	private @Nullable Timeout next() {
		while (this.threads.phase() == Phase.RUNNING) {
			Timeout first = this.timeouts.peek();
			long wait = (first != null) ? first.due - this.time.nanoTime() : Long.MAX_VALUE;
			if (wait <= 0) {
				return this.timeouts.poll();
			}
			this.threads.awaitWork(wait);
		}
		this.threads.leave();
		return null;
	}

	@Override
	public void threadFailed(String message, Throwable cause) {
		FailureLog.log(logger::atError, message, cause);
	}

	/**
	 * Action to run.
	 */
	static final class Timeout {

		private final Runnable action;

		private final long due;

		private Timeout(Runnable action, long due) {
			this.action = action;
			this.due = due;
		}

	}

}
