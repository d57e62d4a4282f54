/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.function.Predicate;

import dev.informer.InvocationGate.Target;
import org.jspecify.annotations.Nullable;

/**
 * Task of one thread of a handler. Guarded by the {@link HandlerLock}.
 */
final class HandlerWorker implements Runnable {

	private final int number;

	private final HandlerWorkers owner;

	private @Nullable Thread thread;

	private Phase phase = Phase.RUNNING;

	private boolean begun;

	private boolean left;

	private boolean invoking;

	private @Nullable Target target;

	private boolean interrupted;

	/**
	 * Create the task of a thread.
	 * @param number the number of the thread, starting with 1
	 * @param owner the threads of the handler
	 */
	HandlerWorker(int number, HandlerWorkers owner) {
		this.number = number;
		this.owner = owner;
	}

	@Override
	public void run() {
		this.owner.run(this);
	}

	int number() {
		return this.number;
	}

	/**
	 * Return the thread; {@code null} before it is started.
	 */
	@Nullable Thread thread() {
		return this.thread;
	}

	void thread(Thread thread) {
		this.thread = thread;
	}

	boolean isAlive() {
		return this.thread != null && this.thread.isAlive();
	}

	Phase phase() {
		return this.phase;
	}

	void phase(Phase phase) {
		this.phase = phase;
	}

	/**
	 * Begin on the current thread.
	 * @return whether to continue: the task runs once, and not after {@link #leave()}
	 */
	boolean begin() {
		boolean first = !this.begun && !this.left;
		if (first) {
			this.begun = true;
			this.thread = Thread.currentThread();
		}
		return first;
	}

	boolean hasBegun() {
		return this.begun;
	}

	void leave() {
		this.left = true;
		endInvocation();
	}

	boolean hasLeft() {
		return this.left;
	}

	/**
	 * Begin an invocation.
	 * @param target the invocation; {@code null} if it needs no gate
	 */
	void beginInvocation(@Nullable Target target) {
		this.invoking = true;
		this.target = target;
		// an interrupt until now was meant for an earlier invocation
		this.interrupted = false;
		Thread.interrupted();
	}

	void endInvocation() {
		this.invoking = false;
	}

	/**
	 * Return whether a selected invocation is running.
	 */
	boolean isInvokingFor(Predicate<@Nullable Target> targets) {
		return this.invoking && targets.test(this.target);
	}

	boolean isInvoking() {
		return this.invoking;
	}

	/**
	 * Interrupt the thread, unless it is the current one.
	 */
	void interrupt() {
		if (this.thread != null && this.thread != Thread.currentThread()) {
			this.interrupted = true;
			this.thread.interrupt();
		}
	}

	/**
	 * Return whether the running invocation was interrupted by {@link #interrupt()}. Any
	 * other interrupt stems from code of the user.
	 */
	boolean isInterrupted() {
		return this.interrupted;
	}

	/**
	 * Phases of a thread.
	 */
	enum Phase {

		/** Delivers events. */
		RUNNING,

		/** Ends once no event is ready. */
		DRAINING,

		/** Ends after its current invocation. */
		ENDING

	}

}
