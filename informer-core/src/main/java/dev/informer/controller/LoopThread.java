/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.work.RunGate;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Thread that repeats a step until there is no more or the run is stopped. Only that ends
 * it: anything that a step throws is reported and is visible in the state of the
 * informer, and the step is repeated after a pause. An error while that is done, such as
 * an exhausted heap, is fatal: the informer has failed until it is started again.
 * <p>
 * <b>Concurrency.</b> {@code failing}, {@code ended} and {@code closed} may be read by
 * any thread; the rest is confined to this one.
 */
final class LoopThread implements Runnable {

	private static final long FIRST_PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final long MAX_PAUSE_NANOS = 32 * FIRST_PAUSE_NANOS;

	/** Time without a failure after which the next one is the first of its kind. */
	private static final long RESET_NANOS = 4 * MAX_PAUSE_NANOS;

	private final BooleanSupplier step;

	private final Supplier<String> problem;

	private final RunGate gate;

	private final InformerReporter reporter;

	private final TimeSource time;

	private final Thread thread;

	private volatile @Nullable InformerState failing;

	private long pauseNanos;

	/** Written before {@link #failing}. */
	private volatile long failedNanos;

	private volatile boolean ended;

	/** Whether the step returns at once from now on, and ends the thread. */
	private volatile boolean closed;

	/**
	 * Create a thread without starting it.
	 * @param threads creates a thread from its task
	 * @param step the step; returns whether there may be more to do
	 * @param problem returns a description of what a failure of the step means
	 */
	LoopThread(Function<Runnable, Thread> threads, BooleanSupplier step, Supplier<String> problem, RunGate gate,
			InformerReporter reporter, TimeSource time) {
		this.step = step;
		this.problem = problem;
		this.gate = gate;
		this.reporter = reporter;
		this.time = time;
		this.thread = threads.apply(this);
		// for what a thread factory has wrapped around the task
		Thread.UncaughtExceptionHandler users = this.thread.getUncaughtExceptionHandler();
		this.thread.setUncaughtExceptionHandler((dying, cause) -> {
			try {
				users.uncaughtException(dying, cause);
			}
			finally {
				if (!this.ended) {
					run(cause);
				}
			}
		});
	}

	/**
	 * Start the thread, unless the run is stopped.
	 */
	void start() {
		if (!this.gate.enter(this)) {
			return;
		}
		try {
			this.thread.start();
		}
		catch (RuntimeException | Error ex) {
			// a thread that its factory has started ends with this run
			this.gate.leave(this);
			throw ex;
		}
	}

	/**
	 * End a pause, because the step returns at once from now on.
	 */
	void close() {
		this.closed = true;
		this.gate.wakePaused();
	}

	boolean hasEnded() {
		return this.ended;
	}

	/**
	 * Wait until the thread has ended or a nano time is reached, unless this is the
	 * thread.
	 */
	void join(long deadline) throws InterruptedException {
		long remaining = deadline - this.time.nanoTime();
		if (this.thread != Thread.currentThread() && remaining > 0) {
			this.time.join(this.thread, remaining);
		}
	}

	@Override
	public void run() {
		run(null);
	}

	private void run(@Nullable Throwable before) {
		try {
			if (before != null) {
				failed(before);
			}
			boolean more = true;
			while (more) {
				more = runStep();
			}
		}
		catch (Throwable ex) {
			gaveUp(ex);
		}
		finally {
			if (!this.ended) {
				this.ended = true;
				this.gate.leave(this);
			}
		}
	}

	private boolean runStep() {
		try {
			boolean more = this.gate.awaitTurn() && this.step.getAsBoolean();
			if (more) {
				recovered();
			}
			return more;
		}
		// also a ThreadDeath, a sneaky checked exception, an error of metadata
		catch (Throwable ex) {
			failed(ex);
			return true;
		}
	}

	private void gaveUp(Throwable cause) {
		Moment now = this.time.moment();
		InformerFailure failure = this.reporter.failed(Kind.OTHER,
				"Cannot continue after a failure; giving up. Start the informer again", cause);
		this.reporter.failedPermanently(failure);
		this.failing = new InformerState(Phase.FAILED, now, failure, now, null);
		this.reporter.publishStates();
	}

	private void failed(Throwable cause) {
		// left by code of the user, it would end the pause
		Thread.interrupted();
		Moment now = this.time.moment();
		if (now.nanoTime() - this.failedNanos > RESET_NANOS) {
			recovered();
		}
		this.failedNanos = now.nanoTime();
		this.pauseNanos = Math.max(FIRST_PAUSE_NANOS, Math.min(2 * this.pauseNanos, MAX_PAUSE_NANOS));
		InformerState previous = this.failing;
		InformerFailure failure = this.reporter.failed(Kind.OTHER, this.problem.get(), cause);
		this.failing = new InformerState(Phase.BACKING_OFF, (previous != null) ? previous.since() : now, failure,
				(previous != null) ? previous.failingSince() : now, now.time().plusNanos(this.pauseNanos));
		this.reporter.publishStates();
		this.gate.pause(() -> this.closed, this.pauseNanos);
	}

	private void recovered() {
		this.pauseNanos = 0;
		if (this.failing != null) {
			this.failing = null;
			this.reporter.log(Level.INFO, "recovered");
			this.reporter.publishStates();
		}
	}

	/**
	 * Return a state of the informer with the failure of this thread, if it is failing.
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
		return new InformerState(current.phase(), current.since(), current.failure(), since, current.nextAttempt());
	}

	/**
	 * Return a state of the reflector that this thread runs, with the failure of the
	 * thread unless the reflector has opened a watch since.
	 */
	InformerState ownState(InformerState state) {
		InformerState current = this.failing;
		boolean watching = current != null && state.phase() == Phase.WATCHING
				&& state.since().nanoTime() - this.failedNanos > 0;
		return watching ? state : state(state);
	}

}
