/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import dev.informer.TimeSource;
import dev.informer.processor.HandlerWorker.Phase;

/**
 * Invocations of one handler on its threads, which are started when they are needed and
 * never more than its concurrency. A stop drains them, then interrupts them, then
 * abandons those that ignore the interrupt. An abandoned thread counts until it ends,
 * also after a restart, so that the concurrency is never exceeded.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of the {@link ProcessorListener}. Methods that
 * only the listener calls expect the lock to be held; the others acquire it. The end of a
 * thread is waited for without the lock.
 */
final class HandlerThreads {

	private final ReentrantLock lock;

	/** Signalled when a thread may have something to do. */
	private final Condition work;

	/** Signalled when an invocation ends and when nothing is pending any more. */
	private final Condition progress;

	private final HandlerWorkers workers;

	private final IntSupplier needed;

	private final TimeSource time;

	private State state = State.STOPPED;

	/** Number of the invocations that wait for the end of all others. */
	private int waitingInvocations;

	/**
	 * Create the threads of a handler, none of which is started.
	 * @param lock the lock of the handler
	 * @param handler the name of the handler
	 * @param limit the maximum number of threads
	 * @param factory the factory of the threads
	 * @param task runs on each thread until it has called {@link #leave()}
	 * @param needed returns the number of idle threads that are needed now
	 * @param failures the reporter of failures of threads
	 * @param time the time source
	 */
	HandlerThreads(ReentrantLock lock, String handler, int limit, HandlerThreadFactory factory, Runnable task,
			IntSupplier needed, BiConsumer<String, Throwable> failures, TimeSource time) {
		this.lock = lock;
		this.work = lock.newCondition();
		this.progress = lock.newCondition();
		this.workers = new HandlerWorkers(lock, this.work, handler, limit, factory, task, this::wanted, failures, time);
		this.needed = needed;
		this.time = time;
	}

	private int wanted() {
		if (this.state != State.RUNNING) {
			return 0;
		}
		return Math.max(1, this.workers.invocations() + this.needed.getAsInt());
	}

	boolean isRunning() {
		return this.state == State.RUNNING;
	}

	boolean isRemoved() {
		return this.state == State.REMOVED;
	}

	/**
	 * Return the phase of the current thread.
	 */
	Phase phase() {
		return current().phase();
	}

	/**
	 * Return the state of the running invocation of the current thread. Acquires the
	 * lock.
	 */
	InvocationState invocationState() {
		this.lock.lock();
		try {
			if (isRemoved()) {
				return InvocationState.REMOVED;
			}
			return current().isInterrupted() ? InvocationState.INTERRUPTED : InvocationState.RUNNING;
		}
		finally {
			this.lock.unlock();
		}
	}

	private HandlerWorker current() {
		HandlerWorker worker = this.workers.current();
		if (worker == null) {
			throw new IllegalStateException("The current thread does not belong to the handler");
		}
		return worker;
	}

	/**
	 * Let {@link #startNeeded()} start threads. Those of an unfinished stop end after
	 * their current invocations, so that the stop does not wait for later ones.
	 */
	void start() {
		if (this.state == State.STOPPED) {
			this.state = State.RUNNING;
			endAll();
		}
	}

	/**
	 * Let the threads end once no event is ready any more.
	 * @return whether they were running
	 */
	boolean drain() {
		if (this.state != State.RUNNING) {
			return false;
		}
		this.state = State.STOPPED;
		this.workers.stream()
			.filter((worker) -> worker.phase() == Phase.RUNNING)
			.forEach((worker) -> worker.phase(Phase.DRAINING));
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
			endAll();
			this.workers.stream().forEach(HandlerWorker::interrupt);
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
		endAll();
		this.progress.signalAll();
	}

	private void endAll() {
		this.workers.stream().forEach((worker) -> worker.phase(Phase.ENDING));
		this.work.signalAll();
	}

	/**
	 * Wait for the end of the threads, without the current one.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		for (Thread thread : otherThreads()) {
			long remaining = deadline - this.time.nanoTime();
			if (remaining > 0) {
				this.time.join(thread, remaining);
			}
		}
	}

	/**
	 * Return whether a thread has not left its loop after {@link #interrupt()}.
	 */
	boolean isStuck() {
		this.lock.lock();
		try {
			return this.state != State.RUNNING && this.workers.stream()
				.anyMatch((worker) -> worker.isAlive() && worker.thread() != Thread.currentThread());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return whether no other thread is left.
	 */
	boolean isGone() {
		return otherThreads().isEmpty();
	}

	private List<Thread> otherThreads() {
		this.lock.lock();
		try {
			return this.workers.otherThreads();
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
		return awaitInvocations(() -> true, TimeSource.nanos(timeout));
	}

	/**
	 * Wait for the end of the running invocations and for a condition, which
	 * {@link #signalProgress()} follows. Interrupt invocations that exceed a deadline.
	 */
	boolean awaitInvocationsOrInterrupt(BooleanSupplier condition, long deadline) throws InterruptedException {
		boolean idle = awaitInvocations(condition, Math.max(0, deadline - this.time.nanoTime()));
		if (!idle) {
			this.lock.lock();
			try {
				this.workers.stream().forEach(HandlerWorker::interrupt);
			}
			finally {
				this.lock.unlock();
			}
		}
		return idle;
	}

	private boolean awaitInvocations(BooleanSupplier condition, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		HandlerWorker current = this.workers.current();
		int self = (current != null && current.isInvoking()) ? 1 : 0;
		this.waitingInvocations += self;
		try {
			this.progress.signalAll();
			return this.time.awaitUntil(this.progress,
					() -> this.workers.invocations() <= ((self > 0) ? this.waitingInvocations : 0)
							&& condition.getAsBoolean(),
					nanos);
		}
		finally {
			this.waitingInvocations -= self;
			this.lock.unlock();
		}
	}

	/**
	 * Wait until no invocation is running and a condition holds, which
	 * {@link #signalProgress()} follows.
	 */
	boolean awaitIdle(BooleanSupplier condition, Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.progress,
					() -> this.workers.invocations() == 0 && condition.getAsBoolean(), TimeSource.nanos(timeout));
		}
		finally {
			this.lock.unlock();
		}
	}

	void signalProgress() {
		this.progress.signalAll();
	}

	/**
	 * Let all threads look for work.
	 */
	void wake() {
		this.work.signalAll();
	}

	/**
	 * Let the current thread wait until there may be work.
	 */
	void awaitWork(long nanos) {
		this.workers.await(nanos);
	}

	/**
	 * Begin an invocation on the current thread.
	 * @return whether {@link #startNeeded()} is to be called
	 */
	boolean beginInvocation() {
		current().beginInvocation();
		this.workers.resetBackoff();
		return this.workers.isNeeded();
	}

	void endInvocation() {
		current().endInvocation();
		this.progress.signalAll();
	}

	/**
	 * Clear an interrupt that stems from code of the user, so that other code of the user
	 * does not suffer from it.
	 */
	void clearInterrupt() {
		this.lock.lock();
		try {
			if (!current().isInterrupted()) {
				Thread.interrupted();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Let the current thread leave its loop.
	 */
	void leave() {
		this.workers.leave(current());
		this.progress.signalAll();
	}

	/**
	 * Start the first thread. To be called without a lock.
	 */
	void startFirst() {
		this.workers.startFirst();
	}

	/**
	 * Start the threads that are needed, and replace those that have died. To be called
	 * without a lock.
	 */
	void startNeeded() {
		this.workers.startNeeded();
	}

	/**
	 * Return the time until {@link #startNeeded()} is to be called again.
	 * @return nanoseconds; {@link Long#MAX_VALUE} when all threads are running
	 */
	long nanosToStart() {
		this.lock.lock();
		try {
			return this.workers.nanosToStart();
		}
		finally {
			this.lock.unlock();
		}
	}

	private enum State {

		STOPPED, RUNNING, REMOVED

	}

	/**
	 * States of an invocation.
	 */
	enum InvocationState {

		/** The invocation was not interrupted, except by code of the user. */
		RUNNING,

		/** The invocation was interrupted by a stop or a suspension. */
		INTERRUPTED,

		/** The handler was removed. */
		REMOVED

	}

}
