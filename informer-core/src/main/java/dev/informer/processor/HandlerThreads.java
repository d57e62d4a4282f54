/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.informer.InvocationGate.Target;
import dev.informer.processor.HandlerWorker.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Invocations of one handler on its threads. A stop drains the threads, then interrupts
 * them, then abandons those that ignore the interrupt. An abandoned thread counts until
 * it ends, also after a restart, so that the concurrency is never exceeded.
 * <p>
 * <b>Concurrency.</b> Guarded by the {@link HandlerLock}. Methods that only the
 * {@link ProcessorListener} calls expect the lock to be held; the others acquire it.
 */
final class HandlerThreads {

	private final HandlerLock lock;

	private final HandlerWorkers workers;

	private State state = State.STOPPED;

	/** Number of the invocations that wait for the end of all others. */
	private int waitingInvocations;

	HandlerThreads(HandlerLock lock, HandlerWorkers workers) {
		this.lock = lock;
		this.workers = workers;
	}

	boolean isRunning() {
		return this.state == State.RUNNING;
	}

	boolean isRemoved() {
		return this.state == State.REMOVED;
	}

	/**
	 * Let {@link HandlerWorkers#startNeeded()} start threads. Those of an unfinished stop
	 * end after their current invocations, so that the stop does not wait for later ones.
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
		this.lock.signalAll();
		return true;
	}

	/**
	 * Let the threads end after their current invocations, without a restart.
	 */
	void remove() {
		this.state = State.REMOVED;
		endAll();
	}

	private void endAll() {
		this.workers.stream().forEach((worker) -> worker.phase(Phase.ENDING));
		this.lock.signalAll();
	}

	/**
	 * Let the threads end after their current invocations, which are interrupted.
	 */
	void interrupt() {
		this.lock.run(() -> {
			if (this.state != State.REMOVED) {
				this.state = State.STOPPED;
			}
			endAll();
			interruptInvocations();
		});
	}

	/**
	 * Return whether a thread has not left its loop after {@link #interrupt()}.
	 */
	boolean isStuck() {
		return this.lock.get(() -> this.state != State.RUNNING && this.workers.stream()
			.anyMatch((worker) -> worker.isAlive() && worker.thread() != Thread.currentThread()));
	}

	/**
	 * Wait for the end of the running invocations and for a predicate, which is evaluated
	 * after each progress. An invocation that waits here neither waits for itself nor for
	 * others that wait here too: they would wait for each other.
	 */
	boolean awaitInvocations(BooleanSupplier reached, long nanos) throws InterruptedException {
		int self = this.lock.get(() -> {
			HandlerWorker worker = this.workers.current();
			int waiting = (worker != null && worker.isInvoking()) ? 1 : 0;
			this.waitingInvocations += waiting;
			this.lock.signalProgress();
			return waiting;
		});
		try {
			return this.lock
				.awaitProgress(() -> this.workers.invocations() <= ((self > 0) ? this.waitingInvocations : 0)
						&& reached.getAsBoolean(), nanos);
		}
		finally {
			this.lock.run(() -> this.waitingInvocations -= self);
		}
	}

	/**
	 * Interrupt the running invocations.
	 */
	void interruptInvocations() {
		this.lock.run(() -> this.workers.stream().forEach(HandlerWorker::interrupt));
	}

	/**
	 * Interrupt some running invocations.
	 */
	void interruptInvocations(Predicate<@Nullable Target> targets) {
		this.lock.run(() -> this.workers.stream()
			.filter((worker) -> worker.isInvokingFor(targets))
			.forEach(HandlerWorker::interrupt));
	}

	/**
	 * Return the phase of the current thread.
	 */
	Phase phase() {
		return current().phase();
	}

	private HandlerWorker current() {
		HandlerWorker worker = this.workers.current();
		if (worker == null) {
			throw new IllegalStateException("The current thread does not belong to the handler");
		}
		return worker;
	}

	/**
	 * Begin an invocation on the current thread.
	 * @param target the invocation; {@code null} if it needs no gate
	 * @return whether another thread is needed
	 */
	boolean beginInvocation(@Nullable Target target) {
		current().beginInvocation(target);
		this.workers.resetBackoff();
		return this.workers.isNeeded();
	}

	void endInvocation() {
		current().endInvocation();
		this.lock.signalProgress();
	}

	/**
	 * Return the state of the running invocation of the current thread.
	 */
	InvocationState invocationState() {
		return this.lock.get(() -> {
			if (isRemoved()) {
				return InvocationState.REMOVED;
			}
			return current().isInterrupted() ? InvocationState.INTERRUPTED : InvocationState.RUNNING;
		});
	}

	/**
	 * Clear an interrupt that stems from code of the user, so that other code of the user
	 * does not suffer from it.
	 */
	void clearInterrupt() {
		this.lock.run(() -> {
			if (!current().isInterrupted()) {
				Thread.interrupted();
			}
		});
	}

	/**
	 * Let the current thread leave its loop.
	 */
	void leave() {
		this.workers.leave(current());
		this.lock.signalProgress();
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

		/** The invocation was interrupted by a stop, a suspension or a loss. */
		INTERRUPTED,

		/** The handler was removed. */
		REMOVED

	}

}
