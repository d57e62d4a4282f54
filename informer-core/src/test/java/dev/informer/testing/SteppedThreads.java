/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;

import dev.informer.client.TimeSource;
import dev.informer.testing.SteppedThread.Halt;
import org.jspecify.annotations.Nullable;

/**
 * Threads and clock of a test with a reproducible order: at most one thread runs at a
 * time, only when the test lets it make a step, and until it waits or pauses. The test
 * determines the order in which threads continue.
 * <p>
 * A thread that waits can be stepped as well, and then checks its condition again: waits
 * are allowed to return early. Time passes only when the test advances it. Used by the
 * thread of the test, except for the methods that a stepped thread calls in its turn.
 */
public final class SteppedThreads implements ThreadFactory, TimeSource {

	private static final long NO_DEADLINE = Long.MAX_VALUE;

	private final List<SteppedThread> threads = new ArrayList<>();

	private final List<Throwable> failures = new ArrayList<>();

	private long nanos;

	private long progress;

	@Override
	public SteppedThread newThread(Runnable task) {
		return new SteppedThread(this, task);
	}

	/**
	 * Start a thread of the test, for a task that may have to wait.
	 */
	public SteppedThread start(String name, Runnable task) {
		SteppedThread thread = newThread(task);
		thread.setName(name);
		thread.start();
		return thread;
	}

	/**
	 * Return the threads that may have work to do: those that have paused, and those that
	 * wait and have not run since the last progress.
	 */
	public List<SteppedThread> ready() {
		return this.threads.stream()
			.filter((thread) -> thread.halt() == Halt.PAUSED || thread.seenProgress() != this.progress)
			.toList();
	}

	/**
	 * Return all threads that were started and have not ended.
	 */
	public List<SteppedThread> all() {
		return List.copyOf(this.threads);
	}

	/**
	 * Return whether all threads wait.
	 */
	public boolean isWaiting() {
		return this.threads.stream().allMatch((thread) -> thread.halt() == Halt.WAITING);
	}

	/**
	 * Let a thread continue until it pauses, waits or ends.
	 */
	public void step(SteppedThread thread) {
		thread.step();
		thread.seenProgress(this.progress);
		if (thread.halt() == Halt.ENDED) {
			this.threads.remove(thread);
			progressed();
		}
	}

	/**
	 * Record an event that a thread may wait for.
	 */
	public void progressed() {
		this.progress++;
	}

	/**
	 * Return a number that changes with each progress.
	 */
	public long progress() {
		return this.progress;
	}

	public void advance(Duration duration) {
		this.nanos += duration.toNanos();
		progressed();
	}

	/**
	 * Advance the time to the earliest deadline of a wait.
	 */
	public void advanceToNextDeadline() {
		long next = this.threads.stream().mapToLong(SteppedThread::deadline).min().orElse(NO_DEADLINE);
		if (next != NO_DEADLINE) {
			this.nanos = Math.max(this.nanos, next);
		}
		progressed();
	}

	/**
	 * Let the other threads continue. To be called without a lock; does nothing on a
	 * thread that is not stepped.
	 */
	public void pause() {
		if (Thread.currentThread() instanceof SteppedThread thread) {
			progressed();
			thread.halt(Halt.PAUSED, NO_DEADLINE, null);
		}
	}

	/**
	 * Wait until the test makes the next step. To be called without a lock.
	 */
	public void await() {
		SteppedThread.current().halt(Halt.WAITING, NO_DEADLINE, null);
	}

	@Override
	public void await(Condition condition, long duration) throws InterruptedException {
		halt(deadline(duration), condition);
	}

	@Override
	public void join(Thread thread, long duration) throws InterruptedException {
		long deadline = deadline(duration);
		while (thread.isAlive() && this.nanos < deadline) {
			halt(deadline, null);
		}
	}

	private static void halt(long deadline, @Nullable Condition condition) throws InterruptedException {
		boolean interrupted = Thread.interrupted();
		if (!interrupted) {
			SteppedThread.current().halt(Halt.WAITING, deadline, condition);
			interrupted = Thread.interrupted();
		}
		if (interrupted) {
			throw new InterruptedException();
		}
	}

	private long deadline(long duration) {
		return (duration < NO_DEADLINE / 2) ? this.nanos + duration : NO_DEADLINE;
	}

	@Override
	public Instant now() {
		return Instant.EPOCH.plusNanos(this.nanos);
	}

	@Override
	public long nanoTime() {
		return this.nanos;
	}

	/**
	 * Return the unexpected exceptions that threads have ended with.
	 */
	public List<Throwable> failures() {
		return this.failures;
	}

	void started(SteppedThread thread) {
		this.threads.add(thread);
		progressed();
	}

	void failed(Throwable failure) {
		this.failures.add(failure);
	}

}
