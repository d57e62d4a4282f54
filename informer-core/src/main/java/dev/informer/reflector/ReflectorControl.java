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
			if (isRequested()) {
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
	 * Wait until a delay is over, or until a stop or a relist is requested. An interrupt
	 * is neither: user code may have left the flag.
	 */
	void await(Duration delay) {
		long start = this.time.nanoTime();
		long nanos = TimeSource.nanos(delay);
		this.lock.lock();
		try {
			boolean waiting = true;
			while (waiting) {
				waiting = isInterruptedWhileWaiting(nanos - (this.time.nanoTime() - start));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isInterruptedWhileWaiting(long nanos) {
		try {
			this.time.awaitUntil(this.changed, this::isRequested, nanos);
			return false;
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	private boolean isRequested() {
		return this.stopped || this.relistRequest != null;
	}

	void stop() {
		request(() -> this.stopped = true);
	}

	/**
	 * Request a relist.
	 * @param reason the reason
	 */
	void relist(RelistReason reason) {
		request(() -> {
			// A list that the user requested decodes everything, so it covers the other.
			if (this.relistRequest != RelistReason.REQUESTED) {
				this.relistRequest = reason;
			}
		});
	}

	private void request(Runnable request) {
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
