/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Process of a simulation, with one thread and its own clocks. It can be suspended,
 * disconnected from the server and slowed down.
 */
public abstract class SimulatedProcess {

	/** Duration of a Lease. */
	public static final long LEASE = 15 * VirtualTime.SECOND;

	/** Renew deadline. */
	protected static final long DEADLINE = 10 * VirtualTime.SECOND;

	/** Timeout of a request. */
	public static final long TIMEOUT = 5 * VirtualTime.SECOND;

	/** Maximum delay of a message of a process that is slow. */
	private static final long MAX_DELAY = 12 * VirtualTime.SECOND;

	private final VirtualTime time;

	private final Random random;

	private final long offset;

	private final List<Runnable> held = new ArrayList<>();

	private Instant clock;

	private boolean suspended;

	private boolean partitioned;

	private boolean slow;

	private long wakeAt;

	private long undisturbedSince;

	protected SimulatedProcess(VirtualTime time, Random random) {
		this.time = time;
		this.random = random;
		this.offset = random.nextLong();
		this.clock = Instant.parse("2030-01-01T00:00:00Z").plusSeconds(random.nextInt(7200));
	}

	/**
	 * Send the requests that are due, and {@linkplain #wakeIn wake} for the next ones.
	 */
	protected abstract void pump();

	/**
	 * Continue after a partition.
	 */
	protected void reconnected() {
	}

	protected final long nanos() {
		return this.time.now() + this.offset;
	}

	protected final Instant clock() {
		return this.clock.plusNanos(this.time.now());
	}

	protected final boolean isSuspended() {
		return this.suspended;
	}

	protected final boolean isPartitioned() {
		return this.partitioned;
	}

	/**
	 * Return the random delay of a message.
	 */
	protected final long delay() {
		return this.random.nextLong(this.slow ? MAX_DELAY : VirtualTime.SECOND / 10);
	}

	/**
	 * Return the time since which this process has been neither suspended, disconnected
	 * nor slow, and no request or message of such a time is under way. Has to be called
	 * after each event.
	 */
	protected final long undisturbedSince() {
		if (this.suspended || this.partitioned) {
			this.undisturbedSince = Math.max(this.undisturbedSince, this.time.now() + TIMEOUT);
		}
		if (this.slow) {
			this.undisturbedSince = this.time.now() + MAX_DELAY;
		}
		return this.undisturbedSince;
	}

	/**
	 * Run an action on the thread of this process after a delay, or once it is no longer
	 * suspended.
	 */
	protected final void deliver(long delay, Runnable action) {
		this.time.after(delay, () -> onThread(action));
	}

	private void onThread(Runnable action) {
		if (this.suspended) {
			this.held.add(() -> onThread(action));
		}
		else {
			action.run();
			pump();
		}
	}

	protected final void wakeIn(long wait) {
		long at = this.time.now() + Math.min(wait, 1000 * VirtualTime.SECOND);
		if (this.wakeAt <= this.time.now() || at < this.wakeAt) {
			this.wakeAt = at;
			deliver(at - this.time.now(), () -> {
			});
		}
	}

	public final void changeClock(long seconds) {
		this.clock = this.clock.plusSeconds(seconds);
	}

	public final void partition(long duration) {
		this.partitioned = true;
		this.time.after(duration, () -> {
			this.partitioned = false;
			reconnected();
		});
	}

	public final void slow(long duration) {
		this.slow = true;
		this.time.after(duration, () -> this.slow = false);
	}

	public void suspend(long duration) {
		this.suspended = true;
		this.time.after(duration, this::resume);
	}

	private void resume() {
		if (this.suspended) {
			this.suspended = false;
			List<Runnable> actions = new ArrayList<>(this.held);
			this.held.clear();
			actions.forEach(Runnable::run);
			pump();
		}
	}

	/**
	 * End all faults.
	 */
	public void recover() {
		this.partitioned = false;
		this.slow = false;
		resume();
	}

}
