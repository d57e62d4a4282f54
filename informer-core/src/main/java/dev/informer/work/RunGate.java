/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Gate of the threads of a run, from a start to a stop. They do nothing before all of
 * them have been started and those of earlier runs have ended: a thread that a stop has
 * left behind, because it was busy, could change the same state at the same time.
 * <p>
 * <b>Concurrency.</b> Thread-safe. A {@link StateLock}, which all runs share, guards the
 * fields; the volatile ones are read without it.
 */
public final class RunGate {

	private final StateLock lock;

	private final Runnable beginning;

	/** Last earlier run that may have threads; {@code null} once this one has begun. */
	private @Nullable RunGate previous;

	/** Threads that have not ended, and this gate until the stop is complete. */
	private final Set<Object> active = new HashSet<>(Set.of(this));

	private boolean launched;

	private volatile boolean begun;

	private volatile boolean stopped;

	/**
	 * Create a gate without threads. The lock is held.
	 * @param previous the gate of the run before; {@code null} for none
	 * @param beginning called by the first thread that may work, with the lock
	 */
	public RunGate(StateLock lock, @Nullable RunGate previous, Runnable beginning) {
		this.lock = lock;
		this.beginning = beginning;
		RunGate earlier = previous;
		while (earlier != null && earlier.active.isEmpty()) {
			earlier = earlier.previous;
		}
		this.previous = earlier;
	}

	/**
	 * Add a thread that is about to be started, and return whether it may be: the run is
	 * not stopped.
	 */
	public boolean enter(Object thread) {
		return this.lock.get(() -> !this.stopped && this.active.add(thread));
	}

	/**
	 * Remove a thread that has ended or could not be started. More calls have no effect.
	 */
	public void leave(Object thread) {
		this.lock.change(() -> this.active.remove(thread));
	}

	/**
	 * Let the threads work, once those of earlier runs have ended.
	 */
	public void launch() {
		this.lock.change(() -> this.launched = true);
	}

	/**
	 * Let the threads end.
	 */
	public void requestStop() {
		this.lock.change(() -> this.stopped = true);
	}

	/**
	 * Record that the stop has reached all parts of the run.
	 */
	public void completeStop() {
		leave(this);
	}

	/**
	 * Return whether a stop was requested.
	 */
	public boolean isStopped() {
		return this.stopped;
	}

	/**
	 * Return whether a thread of the run has been let through.
	 */
	public boolean hasBegun() {
		return this.begun;
	}

	/**
	 * Wait until the threads of this run may work, and return whether the run is not
	 * stopped.
	 */
	public boolean awaitTurn() {
		while (!this.stopped && !this.begun) {
			try {
				this.lock.await(() -> this.stopped || this.begun || isTurn(), Long.MAX_VALUE);
			}
			catch (InterruptedException ex) {
				// left by code of the user: only a stop ends this thread
			}
			this.lock.change(() -> {
				if (!this.stopped && !this.begun && isTurn()) {
					this.previous = null;
					this.beginning.run();
					this.begun = true;
				}
			});
		}
		return !this.stopped;
	}

	private boolean isTurn() {
		return this.launched && hasPreviousEnded();
	}

	private boolean hasPreviousEnded() {
		return this.previous == null || (this.previous.active.isEmpty() && this.previous.hasPreviousEnded());
	}

	/**
	 * Pause a thread until a time has passed, the run is stopped, or a condition holds
	 * after {@link #wakePaused()}.
	 */
	public void pause(BooleanSupplier ended, long nanos) {
		try {
			this.lock.await(() -> this.stopped || ended.getAsBoolean(), nanos);
		}
		catch (InterruptedException ex) {
			// only a stop ends this thread
		}
	}

	/**
	 * Let paused threads look at their conditions.
	 */
	public void wakePaused() {
		this.lock.change(() -> {
		});
	}

}
