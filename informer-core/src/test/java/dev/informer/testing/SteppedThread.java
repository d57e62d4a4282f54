/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import org.jspecify.annotations.Nullable;

/**
 * Thread that runs in steps, see {@link SteppedThreads}.
 * <p>
 * <b>Concurrency.</b> The test releases {@code turn}, the thread releases {@code halted};
 * both hand over all other state. A thread that waits for a condition has to release its
 * lock to others. It therefore really waits for the condition until its turn comes. An
 * interrupt, which its task does not see, ends that wait. Any other interrupt is kept
 * until its turn.
 */
public final class SteppedThread extends Thread {

	private static final long LONGEST_STEP_SECONDS = 30;

	private final Semaphore turn = new Semaphore(0);

	private final Semaphore halted = new Semaphore(0);

	private final SteppedThreads owner;

	private volatile boolean called = true;

	private Halt halt = Halt.PAUSED;

	private long deadline = Long.MAX_VALUE;

	private long seenProgress = -1;

	private boolean interrupted;

	SteppedThread(SteppedThreads owner, Runnable task) {
		super(task);
		this.owner = owner;
		setDaemon(true);
	}

	static SteppedThread current() {
		if (Thread.currentThread() instanceof SteppedThread thread) {
			return thread;
		}
		throw new IllegalStateException("Only a stepped thread can wait here");
	}

	Halt halt() {
		return this.halt;
	}

	long deadline() {
		return this.deadline;
	}

	long seenProgress() {
		return this.seenProgress;
	}

	void seenProgress(long progress) {
		this.seenProgress = progress;
	}

	@Override
	public void start() {
		this.owner.started(this);
		super.start();
	}

	@Override
	public void run() {
		this.turn.acquireUninterruptibly();
		try {
			super.run();
		}
		catch (Throwable ex) {
			this.owner.failed(ex);
		}
		this.halt = Halt.ENDED;
		this.halted.release();
	}

	@Override
	public void interrupt() {
		if (Thread.currentThread() == this) {
			super.interrupt();
			return;
		}
		this.interrupted = true;
		this.owner.progressed();
	}

	/**
	 * Make a step. Called by the thread of the test.
	 */
	void step() {
		this.called = true;
		if (this.halt == Halt.WAITING) {
			super.interrupt();
		}
		this.turn.release();
		try {
			if (!this.halted.tryAcquire(LONGEST_STEP_SECONDS, TimeUnit.SECONDS)) {
				IllegalStateException failure = new IllegalStateException(
						"Thread " + getName() + " waits for an event that no step causes");
				failure.setStackTrace(getStackTrace());
				throw failure;
			}
			if (this.halt == Halt.ENDED) {
				join();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Test was interrupted", ex);
		}
	}

	/**
	 * End a step. Called by this thread.
	 * @param halt the reason
	 * @param deadline the end of the wait
	 * @param condition the condition to wait for, whose lock the caller holds
	 */
	void halt(Halt halt, long deadline, @Nullable Condition condition) {
		this.halt = halt;
		this.deadline = deadline;
		this.called = false;
		this.halted.release();
		while (condition != null && !this.called) {
			try {
				condition.await();
			}
			catch (InterruptedException ex) {
				// only from step(), which has set called before
			}
		}
		this.turn.acquireUninterruptibly();
		if (halt == Halt.WAITING) {
			Thread.interrupted();
		}
		if (this.interrupted) {
			this.interrupted = false;
			super.interrupt();
		}
	}

	/**
	 * Reason why a thread does not run.
	 */
	enum Halt {

		/** The thread lets others run first. */
		PAUSED,

		/** The thread waits for an event or a deadline. */
		WAITING,

		/** The thread has ended. */
		ENDED

	}

}
