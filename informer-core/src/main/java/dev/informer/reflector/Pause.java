/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.TimeSource;
import dev.informer.client.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Reflector} waits on, and what ends that: every wait and every request
 * belongs to the current attempt, and a stop or a wish for a new list ends it at once.
 * <p>
 * Thread-safe. One thread makes the attempts, any may end them.
 */
final class Pause {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final TimeSource time;

	private Cancellation scope = new Cancellation();

	private boolean stopped;

	private @Nullable RelistReason relistWanted;

	Pause(TimeSource time) {
		this.time = time;
	}

	/**
	 * Allows attempts again after a stop.
	 */
	void reset() {
		this.lock.lock();
		try {
			this.stopped = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begins an attempt.
	 * @return the scope for its requests, cancelled already after a stop
	 */
	Cancellation begin() {
		this.lock.lock();
		try {
			this.scope = new Cancellation();
			if (this.stopped || this.relistWanted != null) {
				this.scope.cancel();
			}
			return this.scope;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isStopped() {
		this.lock.lock();
		try {
			return this.stopped;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Why a new list is wanted; the wish is fulfilled by asking.
	 * @return the reason; {@code null} when none is wanted
	 */
	@Nullable RelistReason takeRelistWanted() {
		this.lock.lock();
		try {
			RelistReason wanted = this.relistWanted;
			this.relistWanted = null;
			return wanted;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits, unless somebody wants something else meanwhile.
	 */
	void await(Duration duration) {
		this.lock.lock();
		try {
			long deadline = this.time.nanoTime() + duration.toNanos();
			long remaining = duration.toNanos();
			while (remaining > 0 && !this.stopped && this.relistWanted == null) {
				this.time.await(this.changed, remaining);
				remaining = deadline - this.time.nanoTime();
			}
		}
		catch (InterruptedException ex) {
			this.stopped = true;
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	void stop() {
		end(() -> this.stopped = true);
	}

	/**
	 * Wishes for a new list. One that was requested does what one after a failure does.
	 */
	void relist(RelistReason reason) {
		end(() -> this.relistWanted = (this.relistWanted == RelistReason.REQUESTED) ? this.relistWanted : reason);
	}

	private void end(Runnable wish) {
		Cancellation current;
		this.lock.lock();
		try {
			wish.run();
			current = this.scope;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		current.cancel();
	}

}
