/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.TimeSource;
import dev.informer.client.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a running {@link Reflector}: stop, and relist. Each cancels the current
 * attempt, so that its wait and its requests return at once.
 * <p>
 * <b>Concurrency.</b> Thread-safe, guarded by one lock. One thread makes the attempts,
 * any thread may cancel them. The {@link Cancellation} is cancelled outside of the lock,
 * because it closes connections.
 */
final class ReflectorControl {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final TimeSource time;

	private Cancellation current = new Cancellation();

	private boolean stopped;

	private @Nullable RelistReason relistRequest;

	ReflectorControl(TimeSource time) {
		this.time = time;
	}

	/**
	 * Allow attempts again after a stop.
	 */
	void reset() {
		locked(() -> this.stopped = false);
	}

	/**
	 * Begin an attempt.
	 * @return the cancellation of its requests; already cancelled if a stop or a relist
	 * was requested
	 */
	Cancellation begin() {
		return locked(() -> {
			this.current = new Cancellation();
			if (isInterrupted()) {
				this.current.cancel();
			}
			return this.current;
		});
	}

	boolean isStopped() {
		return locked(() -> this.stopped);
	}

	/**
	 * Remove and return the request for a relist.
	 * @return its reason; {@code null} if none was requested
	 */
	@Nullable RelistReason takeRelistRequest() {
		this.lock.lock();
		try {
			RelistReason reason = this.relistRequest;
			this.relistRequest = null;
			return reason;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until a delay is over, or until a stop or a relist is requested.
	 */
	void await(Duration delay) {
		this.lock.lock();
		try {
			this.time.awaitUntil(this.changed, this::isInterrupted, TimeSource.nanos(delay));
		}
		catch (InterruptedException ex) {
			this.stopped = true;
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isInterrupted() {
		return this.stopped || this.relistRequest != null;
	}

	void stop() {
		interrupt(() -> this.stopped = true);
	}

	/**
	 * Request a relist.
	 * @param reason the reason
	 */
	void relist(RelistReason reason) {
		interrupt(() -> {
			// A list that the user requested decodes everything, so it covers the other.
			if (this.relistRequest != RelistReason.REQUESTED) {
				this.relistRequest = reason;
			}
		});
	}

	private void interrupt(Runnable request) {
		Cancellation cancellation = locked(() -> {
			request.run();
			this.changed.signalAll();
			return this.current;
		});
		cancellation.cancel();
	}

	private <V> V locked(Supplier<V> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
