/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.client.Cancellation;
import dev.informer.client.Moment;
import dev.informer.client.ObjectSelector;
import dev.informer.client.TimeSource;
import dev.informer.work.StateLock;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a running {@link Reflector}: stop, relist, and the selection of objects.
 * Stop and relist cancel the current attempt, so that its wait and its requests return at
 * once; a selection cancels a watch.
 * <p>
 * <b>Concurrency.</b> Thread-safe, guarded by one lock. One thread makes the attempts,
 * any thread may cancel them. The {@link Cancellation} is cancelled outside of the lock,
 * because it closes connections.
 */
final class ReflectorControl {

	/**
	 * Time from the first object of which bits have changed to the comparison, which also
	 * covers those that arrive until then.
	 */
	private static final Duration COMPARISON = Duration.ofSeconds(30);

	/** Minimum time from a list of a resource that is not watched to a requested poll. */
	private static final Duration POLL_PACE = Duration.ofSeconds(5);

	private final StateLock lock;

	private final TimeSource time;

	private Cancellation current = new Cancellation();

	private boolean stopped;

	private boolean closed;

	private @Nullable RelistReason relistRequest;

	/** Whether a requested relist has begun and no list has been completed since. */
	private boolean relisting;

	private boolean attempting;

	/** Whether the current attempt is an open watch. */
	private boolean watching;

	private @Nullable ObjectSelector selection;

	/** Whether a poll was requested that has not begun. */
	private boolean polling;

	/** Number of lists that have begun. */
	private long lists;

	/** Number of the last list that the store was given. */
	private long handedOver;

	/** Wakes the threads that wait for a poll; {@code null} without a request. */
	private @Nullable Runnable polled;

	/** Nano time of the first object of which bits have changed. */
	private @Nullable Long corruptedSince;

	ReflectorControl(TimeSource time) {
		this.lock = new StateLock(time);
		this.time = time;
	}

	/**
	 * Allow attempts again after a stop, unless it is the last one.
	 */
	void reset() {
		this.lock.change(() -> {
			this.stopped = this.closed;
			this.relisting = false;
			this.corruptedSince = null;
		});
	}

	/**
	 * Begin an attempt, and return the cancellation of its requests, already cancelled if
	 * a stop or a relist was requested.
	 */
	Cancellation begin() {
		return this.lock.get(() -> {
			this.current = new Cancellation();
			this.attempting = true;
			if (isRequested()) {
				this.current.cancel();
			}
			return this.current;
		});
	}

	/**
	 * End an attempt.
	 */
	void end() {
		this.lock.change(() -> {
			this.attempting = false;
			this.watching = false;
		});
	}

	/**
	 * Record that the current attempt watches. It is cancelled by the selection of other
	 * objects; a list is not, but followed by another one.
	 */
	void watching() {
		request(() -> {
			this.watching = true;
			return this.selection != null;
		});
	}

	/**
	 * Record that a list begins, and return whether a poll was requested, which it
	 * carries out.
	 */
	boolean listing() {
		return this.lock.get(() -> {
			boolean requested = this.polling;
			this.polling = false;
			this.lists++;
			return requested;
		});
	}

	/**
	 * Request a list of a resource that is not watched before its interval is over, and
	 * return whether a list that began after this was handed over. Its callback is for
	 * that, because the store may have applied the list before.
	 */
	BooleanSupplier poll(Runnable handedOver) {
		long next = this.lock.get(() -> {
			this.polling = true;
			this.polled = handedOver;
			this.lock.signalAll();
			return this.lists + 1;
		});
		return () -> this.lock.get(() -> this.handedOver >= next);
	}

	/**
	 * Record that a list has been completed, with which a requested relist ends.
	 */
	void listed() {
		this.lock.change(() -> {
			this.relisting = false;
			this.corruptedSince = null;
		});
	}

	/**
	 * Record that the store was given the current list.
	 */
	void handedOver() {
		Runnable waiting = this.lock.get(() -> {
			this.handedOver = this.lists;
			return this.polled;
		});
		if (waiting != null) {
			waiting.run();
		}
	}

	/**
	 * Record that bits of a response have changed, so that the cache has to be compared
	 * with the server.
	 */
	void corrupted() {
		this.lock.change(() -> {
			if (this.corruptedSince == null) {
				this.corruptedSince = this.time.nanoTime();
			}
		});
	}

	/**
	 * Return the nanoseconds until the current watch has to end for a comparison,
	 * {@link Long#MAX_VALUE} if it need not.
	 */
	long nanosToComparison() {
		return this.lock.get(() -> this.watching ? nanosToDueComparison() : Long.MAX_VALUE);
	}

	private long nanosToDueComparison() {
		return (this.corruptedSince != null)
				? Math.max(0, TimeSource.nanos(COMPARISON) - (this.time.nanoTime() - this.corruptedSince))
				: Long.MAX_VALUE;
	}

	/**
	 * End the current watch for a comparison.
	 */
	void endForComparison() {
		request(() -> {
			boolean watched = this.watching;
			this.watching = false;
			return watched;
		});
	}

	/**
	 * Return whether the cache has to be compared now, and forget it.
	 */
	boolean takeComparison() {
		return this.lock.get(() -> {
			boolean due = nanosToDueComparison() == 0;
			if (due) {
				this.corruptedSince = null;
			}
			return due;
		});
	}

	boolean isStopped() {
		return this.lock.get(() -> this.stopped);
	}

	/**
	 * Remove the request for a relist, and return its reason; {@code null} if none was
	 * requested.
	 */
	@Nullable RelistReason takeRelistRequest() {
		return this.lock.get(() -> {
			RelistReason reason = this.relistRequest;
			this.relistRequest = null;
			if (reason == RelistReason.REQUESTED) {
				// from now on, so that no request comes between this and the attempt
				this.relisting = true;
				this.attempting = true;
			}
			return reason;
		});
	}

	/**
	 * Remove and return the objects that were selected; {@code null} if they have not
	 * changed.
	 */
	@Nullable ObjectSelector takeSelection() {
		return this.lock.get(() -> {
			ObjectSelector changed = this.selection;
			this.selection = null;
			return changed;
		});
	}

	/**
	 * Select the objects to list and watch from now on.
	 */
	void select(ObjectSelector selector) {
		request(() -> {
			this.selection = selector;
			return this.watching;
		});
	}

	/**
	 * Wait until a delay since a failure is over, or until a stop or a relist is
	 * requested.
	 */
	void await(Moment failed, Duration delay) {
		await(failed, delay, this::isRequested);
	}

	/**
	 * Wait until the next list of a resource that is not watched is due, or until a stop,
	 * a relist or other objects are requested. A poll is carried out once its pace allows
	 * it, so that many threads that wait for the cache do not list without a pause.
	 */
	void awaitPoll(Moment listed, Duration delay) {
		BooleanSupplier requested = () -> isRequested() || this.selection != null;
		await(listed, delay, () -> this.polling || requested.getAsBoolean());
		await(listed, (delay.compareTo(POLL_PACE) < 0) ? delay : POLL_PACE, requested);
	}

	private void await(Moment since, Duration delay, BooleanSupplier requested) {
		long end = since.nanoTime() + TimeSource.nanos(delay);
		long remaining = end - this.time.nanoTime();
		while (remaining > 0 && !this.lock.get(requested::getAsBoolean)) {
			try {
				this.lock.awaitChange(requested, remaining);
			}
			catch (InterruptedException ex) {
				// neither a stop nor a relist: user code may have left the flag
			}
			remaining = end - this.time.nanoTime();
		}
	}

	private boolean isRequested() {
		return this.stopped || this.relistRequest != null;
	}

	void stop() {
		request(() -> {
			this.stopped = true;
			return true;
		});
	}

	/**
	 * Stop, and allow no attempts from now on.
	 */
	void close() {
		request(() -> {
			this.closed = true;
			this.stopped = true;
			return true;
		});
	}

	/**
	 * Request a relist, and return whether a new list follows. A relist that the user
	 * requested joins another one that has not begun, or whose list is being read: each
	 * would cancel the list of the one before, and none would end. It ends the delay
	 * after a failure.
	 */
	boolean relist(RelistReason reason) {
		return request(() -> {
			boolean requested = reason == RelistReason.REQUESTED;
			if (requested && (this.relistRequest == RelistReason.REQUESTED || (this.relisting && this.attempting))) {
				return false;
			}
			// A list that the user requested decodes everything, so it covers the other.
			if (this.relistRequest != RelistReason.REQUESTED) {
				this.relistRequest = reason;
			}
			return true;
		});
	}

	private boolean request(BooleanSupplier request) {
		Cancellation cancellation = this.lock.get(() -> {
			boolean accepted = request.getAsBoolean();
			this.lock.signalAll();
			return accepted ? this.current : null;
		});
		if (cancellation != null) {
			cancellation.cancel();
		}
		return cancellation != null;
	}

}
