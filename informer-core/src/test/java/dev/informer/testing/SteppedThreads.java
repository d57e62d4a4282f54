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

import dev.informer.TimeSource;
import dev.informer.testing.SteppedThread.Halt;
import org.jspecify.annotations.Nullable;

/**
 * Threads and clock of a test that is to run in a reproducible order: of all threads at
 * most one runs at a time, only when the test lets it make a step, and until it waits for
 * something or pauses. The test determines the order in which threads continue.
 * <p>
 * A thread that waits can be stepped as well, it then looks again at what it waits for:
 * waits are allowed to return early. Time passes only when the test says so. Used by the
 * thread of the test, apart from what a stepped thread calls in its turn.
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
	 * Starts a thread of the test's own, for something that may have to wait.
	 */
	public SteppedThread start(String name, Runnable task) {
		SteppedThread thread = newThread(task);
		thread.setName(name);
		thread.start();
		return thread;
	}

	/**
	 * The threads that have something to do as far as is known: those that have paused,
	 * and those that wait and have not looked since there was progress.
	 */
	public List<SteppedThread> ready() {
		return this.threads.stream()
			.filter((thread) -> thread.halt() == Halt.PAUSED || thread.seenProgress() != this.progress)
			.toList();
	}

	/**
	 * All threads that were started and have not ended.
	 */
	public List<SteppedThread> all() {
		return List.copyOf(this.threads);
	}

	/**
	 * Whether all threads wait for something.
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
	 * Note an event that a thread may wait for.
	 */
	public void progressed() {
		this.progress++;
	}

	/**
	 * A number that is another one after progress.
	 */
	public long progress() {
		return this.progress;
	}

	public void advance(Duration duration) {
		this.nanos += duration.toNanos();
		progressed();
	}

	/**
	 * Lets time pass until the first wait is over that has an end.
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
	 * Waits until the test thinks that there may be something new. To be called without a
	 * lock.
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
	 * What threads have ended with that was not expected.
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
