/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

import dev.informer.client.TimeSource;
import dev.informer.processor.HandlerWorker.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one handler that have not left their loop, never more than its concurrency.
 * They are started when they are needed. One that could not be started, or that has died,
 * is reported and replaced, with backoff.
 * <p>
 * <b>Concurrency.</b> Guarded by the {@link HandlerLock}, which only
 * {@link #startFirst()}, {@link #startNeeded()}, {@link #nanosToStart()},
 * {@link #awaitEnd} and {@link #run} do not expect to be held. The thread factory and the
 * reporter of failures are called without it, because they are code of the user.
 */
final class HandlerWorkers {

	private static final long PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final int MAX_PAUSE_FACTOR = 32;

	private final HandlerLock lock;

	private final String handler;

	private final int limit;

	private final BiFunction<String, Runnable, Thread> factory;

	private final Runnable task;

	private final IntSupplier wanted;

	private final BiConsumer<String, Throwable> failures;

	private final TimeSource time;

	/** In the order of their numbers. */
	private final List<HandlerWorker> workers = new ArrayList<>();

	/** Threads that have left their loop and may not have ended. */
	private final List<Thread> ending = new ArrayList<>();

	/** Number of failed starts in a row. */
	private int failedStarts;

	private long nextStart;

	/**
	 * Create the threads of a handler, none of which is started.
	 * @param lock the lock of the handler
	 * @param handler the name of the handler
	 * @param limit the maximum number of threads
	 * @param factory creates a thread from its name and its task
	 * @param task runs on each thread until it has called {@link #leave}
	 * @param wanted returns the number of threads that are needed now
	 * @param failures the reporter of failures
	 * @param time the time source
	 */
	HandlerWorkers(HandlerLock lock, String handler, int limit, BiFunction<String, Runnable, Thread> factory,
			Runnable task, IntSupplier wanted, BiConsumer<String, Throwable> failures, TimeSource time) {
		this.lock = lock;
		this.handler = handler;
		this.limit = limit;
		this.factory = factory;
		this.task = task;
		this.wanted = wanted;
		this.failures = failures;
		this.time = time;
	}

	Stream<HandlerWorker> stream() {
		return this.workers.stream();
	}

	/**
	 * Return the worker of the current thread; {@code null} for another thread.
	 */
	@Nullable HandlerWorker current() {
		for (HandlerWorker worker : this.workers) {
			if (worker.thread() == Thread.currentThread()) {
				return worker;
			}
		}
		return null;
	}

	boolean hasIdle() {
		return this.workers.size() > invocations();
	}

	int invocations() {
		int invocations = 0;
		for (HandlerWorker worker : this.workers) {
			invocations += worker.isInvoking() ? 1 : 0;
		}
		return invocations;
	}

	/**
	 * Wait for the end of the threads, without the current one.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		for (Thread thread : this.lock.get(this::otherThreads)) {
			long remaining = deadline - this.time.nanoTime();
			if (remaining > 0) {
				this.time.join(thread, remaining);
			}
		}
	}

	private List<Thread> otherThreads() {
		this.ending.removeIf((thread) -> !thread.isAlive());
		return Stream.concat(this.ending.stream(), stream().filter(HandlerWorker::isAlive).map(HandlerWorker::thread))
			.filter((thread) -> thread != Thread.currentThread())
			.toList();
	}

	boolean isNeeded() {
		return this.workers.size() < this.limit && this.workers.size() < this.wanted.getAsInt();
	}

	/**
	 * Return whether a thread that is needed could not be started. The lock is held.
	 */
	boolean isThreadMissing() {
		return this.failedStarts > 0 && isNeeded();
	}

	/**
	 * Return the time until {@link #startNeeded()} is to be called again.
	 * @return nanoseconds; {@link Long#MAX_VALUE} when all threads are running
	 */
	long nanosToStart() {
		return this.lock.get(() -> {
			if (isThreadMissing()) {
				return Math.max(0, this.nextStart - this.time.nanoTime());
			}
			// a thread may die before it runs its task
			return stream().allMatch(HandlerWorker::hasBegun) ? Long.MAX_VALUE : PAUSE_NANOS;
		});
	}

	/**
	 * Start the first thread, if one is needed and there is none. A failure is thrown, so
	 * that the start of the informer or the addition of the handler fails.
	 */
	void startFirst() {
		HandlerWorker first = this.lock.get(() -> (this.workers.isEmpty() && isNeeded()) ? add() : null);
		if (first == null) {
			return;
		}
		try {
			start(first);
		}
		catch (RuntimeException | Error ex) {
			this.lock.run(() -> {
				if (!first.hasBegun()) {
					remove(first);
				}
			});
			throw ex;
		}
	}

	/**
	 * Start the threads that are needed, and replace those that have died.
	 */
	void startNeeded() {
		HandlerWorker worker;
		while ((worker = this.lock.get(this::next)) != null) {
			if (worker.thread() == null) {
				startOrReport(worker);
			}
			else {
				this.failures.accept("A thread of handler '" + this.handler + "' has died; starting another one",
						new IllegalStateException("Thread " + worker.number() + " ended before its task"));
			}
		}
	}

	/**
	 * Remove a worker whose thread has died, or add one without a thread.
	 * @return the worker; {@code null} for none
	 */
	private @Nullable HandlerWorker next() {
		for (HandlerWorker worker : this.workers) {
			if (worker.thread() != null && worker.thread().getState() == Thread.State.TERMINATED) {
				fail(worker);
				return worker;
			}
		}
		boolean due = this.failedStarts == 0 || this.nextStart - this.time.nanoTime() <= 0;
		return (due && isNeeded()) ? add() : null;
	}

	private HandlerWorker add() {
		int index = 0;
		while (index < this.workers.size() && this.workers.get(index).number() == index + 1) {
			index++;
		}
		HandlerWorker worker = new HandlerWorker(index + 1, this);
		this.workers.add(index, worker);
		return worker;
	}

	private void startOrReport(HandlerWorker worker) {
		try {
			start(worker);
		}
		// an Error, too: the JVM cannot create more threads
		catch (Throwable ex) {
			long pause = this.lock.get(() -> worker.hasBegun() ? 0 : fail(worker));
			if (pause == 0) {
				failed(ex);
				return;
			}
			this.failures.accept("Handler '" + this.handler + "' could not start a thread; retrying in "
					+ TimeUnit.NANOSECONDS.toMillis(pause) + " ms", ex);
		}
	}

	private void start(HandlerWorker worker) {
		String name = (this.limit == 1) ? this.handler : this.handler + "-" + worker.number();
		Thread thread = this.factory.apply(name, worker);
		if (this.lock.get(() -> accept(worker, thread))) {
			thread.start();
		}
	}

	/**
	 * Accept a thread from the factory.
	 * @return whether to start it
	 */
	private boolean accept(HandlerWorker worker, @Nullable Thread thread) {
		if (worker.hasBegun()) {
			return false;
		}
		if (worker.phase() == Phase.ENDING) {
			remove(worker);
			return false;
		}
		if (thread == null || thread.getState() != Thread.State.NEW) {
			throw new IllegalStateException("The thread factory returned "
					+ ((thread != null) ? "a thread that was started already" : "no thread"));
		}
		worker.thread(thread);
		return true;
	}

	/**
	 * Remove the worker of a thread that was not started or has died.
	 * @return the time until the next start, in nanoseconds
	 */
	private long fail(HandlerWorker worker) {
		remove(worker);
		long pause = PAUSE_NANOS * Math.min(1L << Math.min(this.failedStarts, 30), MAX_PAUSE_FACTOR);
		this.failedStarts++;
		this.nextStart = this.time.nanoTime() + pause;
		return pause;
	}

	private void remove(HandlerWorker worker) {
		this.workers.remove(worker);
		worker.leave();
	}

	/**
	 * Run the task on the current thread until the worker has left. Only its phase ends
	 * it, nothing that the task throws.
	 */
	void run(HandlerWorker worker) {
		if (!this.lock.get(worker::begin)) {
			return;
		}
		while (!this.lock.get(worker::hasLeft)) {
			try {
				this.task.run();
			}
			catch (Throwable ex) {
				failed(ex);
				this.lock.run(() -> pause(worker));
			}
		}
		// a restart may have waited for the end of this thread
		startNeeded();
	}

	private void failed(Throwable cause) {
		this.failures.accept("A thread of handler '" + this.handler + "' failed; continuing", cause);
	}

	private void pause(HandlerWorker worker) {
		if (worker.phase() != Phase.ENDING) {
			this.lock.awaitWork(PAUSE_NANOS);
		}
	}

	/**
	 * Note that the current thread is working.
	 */
	void resetBackoff() {
		this.failedStarts = 0;
	}

	/**
	 * Let the current thread leave its loop.
	 */
	void leave(HandlerWorker worker) {
		remove(worker);
		this.ending.removeIf((thread) -> !thread.isAlive());
		this.ending.add(Thread.currentThread());
	}

}
