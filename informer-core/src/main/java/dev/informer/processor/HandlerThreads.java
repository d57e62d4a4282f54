/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.informer.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of one handler, started when they are needed and never more than its
 * concurrency. A stop drains them, then interrupts them, then abandons those that ignore
 * the interrupt. An abandoned thread counts until it ends, also after a restart, so that
 * the concurrency is never exceeded.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of the {@link ProcessorListener}. Methods that
 * only the listener calls expect the lock to be held; the others acquire it. A thread
 * that has ended is remembered until another one takes its place, so that a stop can wait
 * for its end, which it does without the lock.
 */
final class HandlerThreads {

	private static final Logger logger = LoggerFactory.getLogger(HandlerThreads.class);

	private final ReentrantLock lock;

	/** Signalled when a thread may have something to do. */
	private final Condition work;

	/** Signalled when an invocation ends and when nothing is pending any more. */
	private final Condition progress;

	private final String handler;

	private final HandlerThreadFactory factory;

	private final Runnable task;

	private final TimeSource time;

	private final @Nullable Thread[] threads;

	private final boolean[] active;

	private State state = State.STOPPED;

	private int invocations;

	/** Number of the invocations that wait for the end of all others. */
	private int waitingInvocations;

	HandlerThreads(ReentrantLock lock, String handler, int limit, HandlerThreadFactory factory, Runnable task,
			TimeSource time) {
		this.lock = lock;
		this.work = lock.newCondition();
		this.progress = lock.newCondition();
		this.handler = handler;
		this.factory = factory;
		this.task = task;
		this.time = time;
		this.threads = new @Nullable Thread[limit];
		this.active = new boolean[limit];
	}

	boolean isRunning() {
		return this.state == State.RUNNING || this.state == State.DRAINING;
	}

	boolean isDraining() {
		return this.state == State.DRAINING;
	}

	boolean isStopped() {
		return this.state == State.STOPPED;
	}

	boolean isRemoved() {
		return this.state == State.REMOVED;
	}

	/**
	 * Start, or cancel a drain.
	 */
	void start() {
		if (this.state != State.REMOVED) {
			this.state = State.RUNNING;
		}
	}

	/**
	 * Start the first thread, if there is none.
	 */
	void startFirst() {
		if (this.state == State.RUNNING && size() == 0) {
			add();
		}
	}

	/**
	 * Let the threads end once nothing is ready any more.
	 * @return whether they were running
	 */
	boolean drain() {
		if (this.state != State.RUNNING) {
			return false;
		}
		this.state = State.DRAINING;
		this.work.signalAll();
		return true;
	}

	/**
	 * Let the threads end after their current invocations, which are interrupted.
	 */
	void interrupt() {
		this.lock.lock();
		try {
			if (this.state != State.REMOVED) {
				this.state = State.STOPPED;
			}
			others().forEach(Thread::interrupt);
			this.work.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Let the threads end after their current invocations, without a restart.
	 */
	void remove() {
		this.state = State.REMOVED;
		this.work.signalAll();
		this.progress.signalAll();
	}

	/**
	 * Wait for the end of the threads, without the current one.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		List<Thread> others;
		this.lock.lock();
		try {
			others = others();
		}
		finally {
			this.lock.unlock();
		}
		for (Thread thread : others) {
			long remaining = deadline - this.time.nanoTime();
			if (remaining > 0) {
				this.time.join(thread, remaining);
			}
		}
	}

	/**
	 * Return whether a thread is left after {@link #interrupt()}.
	 */
	boolean isStuck() {
		this.lock.lock();
		try {
			return !isRunning() && !others().isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return whether no thread is left.
	 */
	boolean isGone() {
		this.lock.lock();
		try {
			return this.invocations == 0 && others().isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait for the end of the running invocations. An invocation that waits here neither
	 * waits for itself nor for others that wait here too: they would wait for each other.
	 */
	boolean awaitInvocations(Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		int self = Arrays.asList(this.threads).contains(Thread.currentThread()) ? 1 : 0;
		this.waitingInvocations += self;
		try {
			this.progress.signalAll();
			return this.time.awaitUntil(this.progress,
					() -> this.invocations <= ((self > 0) ? this.waitingInvocations : 0), TimeSource.nanos(timeout));
		}
		finally {
			this.waitingInvocations -= self;
			this.lock.unlock();
		}
	}

	/**
	 * Wait for the end of the running invocations and interrupt those that exceed a
	 * deadline.
	 */
	boolean awaitInvocationsOrInterrupt(long deadline) throws InterruptedException {
		boolean idle = awaitInvocations(Duration.ofNanos(Math.max(0, deadline - this.time.nanoTime())));
		if (!idle) {
			this.lock.lock();
			try {
				others().forEach(Thread::interrupt);
			}
			finally {
				this.lock.unlock();
			}
		}
		return idle;
	}

	/**
	 * Wait until no invocation is running and a condition holds, which
	 * {@link #signalProgress()} follows.
	 */
	boolean awaitIdle(BooleanSupplier condition, Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.progress, () -> this.invocations == 0 && condition.getAsBoolean(),
					TimeSource.nanos(timeout));
		}
		finally {
			this.lock.unlock();
		}
	}

	void signalProgress() {
		this.progress.signalAll();
	}

	/**
	 * Let a waiting thread look for work.
	 */
	void awaitWork(long nanos) {
		try {
			this.time.await(this.work, nanos);
		}
		catch (InterruptedException ex) {
			// Only the state ends a thread. The interrupt may stem from the handler
			// itself,
			// and an interrupt by a stop comes with a new state.
		}
	}

	/**
	 * Let all threads look for work, and start more if they are needed.
	 * @param needed the number of idle threads that are needed
	 */
	void wake(int needed) {
		this.work.signalAll();
		addIfNeeded(needed);
	}

	/**
	 * Begin an invocation on the current thread, and start more threads if they are
	 * needed.
	 * @param needed the number of idle threads that are needed
	 */
	void beginInvocation(int needed) {
		this.invocations++;
		addIfNeeded(needed);
		// an interrupt until now was meant for an earlier invocation; a later one follows
		// a
		// change of the state under the lock
		Thread.interrupted();
	}

	void endInvocation() {
		this.invocations--;
		this.progress.signalAll();
	}

	/**
	 * Note the end of the current thread, which does nothing after it.
	 */
	void exit() {
		for (int i = 0; i < this.active.length; i++) {
			if (this.threads[i] == Thread.currentThread()) {
				this.active[i] = false;
			}
		}
		if (this.state == State.DRAINING && size() == 0) {
			this.state = State.STOPPED;
		}
	}

	private void addIfNeeded(int needed) {
		try {
			while (this.state == State.RUNNING && size() < this.active.length && needed > size() - this.invocations) {
				add();
			}
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			logger.atError()
				.addKeyValue("handler", this.handler)
				.setCause(ex)
				.log("Handler '{}' could not start another thread; continuing with {}", this.handler, size());
		}
	}

	private void add() {
		int free = 0;
		while (this.active[free]) {
			free++;
		}
		String name = (this.active.length == 1) ? this.handler : this.handler + "-" + (free + 1);
		Thread thread = this.factory.newThread(name, this.task);
		thread.start();
		this.threads[free] = thread;
		this.active[free] = true;
	}

	private int size() {
		int size = 0;
		for (boolean each : this.active) {
			size += each ? 1 : 0;
		}
		return size;
	}

	private List<Thread> others() {
		return Arrays.stream(this.threads)
			.filter(Objects::nonNull)
			.filter((thread) -> thread != Thread.currentThread() && thread.isAlive())
			.toList();
	}

	private enum State {

		STOPPED, RUNNING, DRAINING, REMOVED

	}

}
