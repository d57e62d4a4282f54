/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.support.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread of a {@link Run}, which repeats a step until there is no more or the run is
 * stopped. Only that ends it: anything that a step throws is reported and is visible in
 * the state of the informer, and the step is repeated after a pause.
 * <p>
 * <b>Concurrency.</b> {@code failing} is written by this thread and read by any;
 * {@code started}, {@code ended} and {@code closed} are guarded by the lock of the run;
 * the rest is confined to this thread.
 */
final class RunThread implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private static final long FIRST_PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final long MAX_PAUSE_NANOS = 32 * FIRST_PAUSE_NANOS;

	/** Time without a failure after which the next one is the first of its kind. */
	private static final long RESET_NANOS = 4 * MAX_PAUSE_NANOS;

	private final Run<?> run;

	private final InformerParts<?> parts;

	private final BooleanSupplier step;

	private final Supplier<String> problem;

	private final Thread thread;

	private volatile @Nullable InformerState failing;

	private long pauseNanos;

	/** Written before {@link #failing}. */
	private volatile long failedNanos;

	private boolean started;

	private boolean ended;

	private boolean closed;

	/**
	 * Create a thread without starting it.
	 * @param run the run
	 * @param parts the parts of the informer
	 * @param role the role of the thread, which is part of its name
	 * @param step the step; returns whether there may be more to do
	 * @param problem returns a description of what a failure of the step means
	 */
	RunThread(Run<?> run, InformerParts<?> parts, String role, BooleanSupplier step, Supplier<String> problem) {
		this.run = run;
		this.parts = parts;
		this.step = step;
		this.problem = problem;
		this.thread = parts.environment().newThread(parts.informer().name(), role, this);
		// for what a thread factory has wrapped around the task
		Thread.UncaughtExceptionHandler users = this.thread.getUncaughtExceptionHandler();
		this.thread.setUncaughtExceptionHandler((dying, cause) -> {
			try {
				users.uncaughtException(dying, cause);
			}
			finally {
				continueAfter(cause);
			}
		});
	}

	Thread thread() {
		return this.thread;
	}

	/**
	 * Set whether the thread is being started, so that {@link #run()} will be called.
	 */
	void setStarted(boolean started) {
		this.started = started;
	}

	/**
	 * Return whether the thread has not been started or has nothing more to do.
	 */
	boolean isDone() {
		return !this.started || this.ended;
	}

	boolean isStarted() {
		return this.started;
	}

	void setEnded() {
		this.ended = true;
	}

	/**
	 * Record that the step returns at once from now on, and ends the thread.
	 */
	void setClosed() {
		this.closed = true;
	}

	boolean isClosed() {
		return this.closed;
	}

	@Override
	public void run() {
		boolean more = true;
		while (more) {
			try {
				more = this.run.awaitTurn() && this.step.getAsBoolean();
				if (more) {
					recovered();
				}
			}
			// also a ThreadDeath, a sneaky checked exception, an error of a listener
			catch (Throwable ex) {
				failed(ex);
			}
		}
		this.run.ended(this);
	}

	private void continueAfter(Throwable cause) {
		if (!this.run.hasEnded(this)) {
			failed(cause);
			run();
		}
	}

	private void failed(Throwable cause) {
		// left by code of the user, it would end the pause
		Thread.interrupted();
		long nanos = FIRST_PAUSE_NANOS;
		try {
			nanos = nextPause();
			report(cause, nanos);
		}
		catch (Throwable ex) {
			// such as an exhausted heap: to continue matters more than to report it
		}
		this.run.pause(this, nanos);
	}

	private long nextPause() {
		long now = this.parts.time().nanoTime();
		if (now - this.failedNanos > RESET_NANOS) {
			recovered();
		}
		this.failedNanos = now;
		this.pauseNanos = Math.max(FIRST_PAUSE_NANOS, Math.min(2 * this.pauseNanos, MAX_PAUSE_NANOS));
		return this.pauseNanos;
	}

	private void report(Throwable cause, long nanos) {
		InformerState previous = this.failing;
		Moment now = this.parts.time().moment();
		InformerFailure failure = this.parts.failures().threadFailed(this.problem.get(), cause);
		this.failing = new InformerState(Phase.BACKING_OFF, (previous != null) ? previous.since() : now, failure,
				(previous != null) ? previous.failingSince() : now, now.time().plusNanos(nanos));
		this.run.publishStates();
	}

	private void recovered() {
		this.pauseNanos = 0;
		if (this.failing != null) {
			this.failing = null;
			String informer = this.parts.informer().name();
			FailureLog.log(() -> logger.atInfo().addKeyValue("informer", informer),
					"Informer '" + informer + "' recovered", null);
			this.run.publishStates();
		}
	}

	/**
	 * Return a state of the informer with the failure of this thread, if it is failing.
	 * @param state the state of a reflector
	 */
	InformerState state(InformerState state) {
		InformerState current = this.failing;
		if (current == null || state.phase() == Phase.FAILED) {
			return state;
		}
		Moment since = current.failingSince();
		if (since == null || state.failingSince() != null && state.failingSince().compareTo(since) < 0) {
			since = state.failingSince();
		}
		return new InformerState(Phase.BACKING_OFF, current.since(), current.failure(), since, current.nextAttempt());
	}

	/**
	 * Return a state of the reflector that this thread runs, with the failure of the
	 * thread unless the reflector has opened a watch since.
	 * @param state the state of the reflector
	 */
	InformerState ownState(InformerState state) {
		InformerState current = this.failing;
		boolean watching = current != null && state.phase() == Phase.WATCHING
				&& state.since().nanoTime() - this.failedNanos > 0;
		return watching ? state : state(state);
	}

}
