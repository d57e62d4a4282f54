/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Objects;

import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Pending events of one object in a {@link HandlerQueue}, and the delivery in progress.
 * Not thread-safe. What concerns the delivery does not change before its end, so its
 * thread reads that without the lock of the queue.
 */
abstract class QueueEntry<T extends KubernetesObject> {

	final String key;

	State state = State.IDLE;

	/**
	 * The next invocation, or the one that is being delivered; {@code null} if it needs
	 * no gate.
	 */
	@Nullable Target target;

	/** Access of the next invocation. */
	Access access = Access.OPEN;

	/**
	 * Time of the next attempt, in nanoseconds; of an object that is being delivered, the
	 * time at which that began.
	 */
	long due;

	/** Number of failures and postponements in a row, over all states of the object. */
	int failures;

	/** Number of failed attempts in a row to deliver the event that failed last. */
	int attempts;

	private @Nullable ResourceEvent<T> failed;

	/** The difference that is being delivered; {@code null} for none. */
	@Nullable PendingDelivery<T> delivery;

	/** Position of the oldest change that is being delivered. */
	long deliveryPosition;

	/** Time at which the oldest change that is being delivered was received. */
	long deliveryNanos;

	/**
	 * Create an entry without a pending event.
	 */
	QueueEntry(String key) {
		this.key = key;
	}

	/**
	 * Add an event, in the order of the changes of the cache.
	 * @param position a number that grows with each event of the handler
	 */
	abstract void add(KeyedEvent<T> keyed, long position, long receivedNanos);

	/**
	 * Return the number of pending events, without the one that is being delivered.
	 */
	abstract int size();

	/**
	 * Return the position of the oldest pending event.
	 */
	abstract long position();

	/**
	 * Return the time at which the oldest pending event was received.
	 */
	abstract long receivedNanos();

	/**
	 * Return the number of added events of the initial list, including one that is being
	 * delivered.
	 */
	abstract int initialSize();

	/**
	 * Remove the oldest pending event, whose delivery begins.
	 */
	abstract void begun();

	/**
	 * End the delivery successfully.
	 * @param state the last delivered state from now on; {@code null} for none
	 */
	abstract void delivered(@Nullable T state);

	/**
	 * End the delivery with a failure. The last delivered state remains.
	 */
	abstract void failed();

	/**
	 * Make a difference pending that was given up before.
	 * @param undelivered the difference; every event after it was given up or not to be
	 * delivered
	 * @param position the position, unless an event is pending
	 * @param receivedNanos the time of the request, unless an event is pending
	 * @return whether it is pending; {@code false} if the object was deleted or recreated
	 * since
	 */
	abstract boolean restore(PendingDelivery<T> undelivered, long position, long receivedNanos);

	/**
	 * Return the difference to deliver next, or that is being delivered.
	 * @param cached the cached object, which is the current state if no event is pending
	 */
	abstract PendingDelivery<T> next(@Nullable T cached);

	/**
	 * Return whether the last delivered state is the current one and nothing is pending.
	 * Such an object needs no entry: the next event contains the last delivered state.
	 */
	abstract boolean isUpToDate();

	/**
	 * Begin the delivery of the oldest pending event at {@code now}, in nanoseconds.
	 */
	void begin(long now) {
		this.state = State.DELIVERING;
		this.due = now;
		this.deliveryPosition = position();
		this.deliveryNanos = receivedNanos();
		PendingDelivery<T> next = next(null);
		this.delivery = (this.access == Access.GONE && next.isDeletion()) ? next.unwatched() : next;
		begun();
	}

	/**
	 * Return the difference that is being delivered.
	 */
	PendingDelivery<T> delivery() {
		return Objects.requireNonNull(this.delivery);
	}

	/**
	 * Record a postponement: the next delay is longer, but no attempt is used up.
	 * @param due the time of the next attempt, in nanoseconds
	 */
	void postpone(long due) {
		this.failures++;
		this.due = due;
	}

	/**
	 * Return the number of the attempt that delivering an event is: above 1 only for the
	 * event that failed last.
	 */
	int attempt(ResourceEvent<T> event) {
		ResourceEvent<T> last = this.failed;
		boolean retry = last != null && last.type() == event.type() && last.object() == event.object();
		return retry ? this.attempts + 1 : 1;
	}

	/**
	 * Record a failure.
	 * @param event the event; {@code null} if it could not be composed
	 * @param due the time of the next attempt, in nanoseconds
	 */
	void addFailure(@Nullable ResourceEvent<T> event, long due) {
		this.attempts = (event != null) ? attempt(event) : 0;
		this.failures++;
		this.failed = event;
		this.due = due;
	}

	void resetFailures() {
		this.attempts = 0;
		this.failures = 0;
		this.failed = null;
	}

	/**
	 * Compare the times of the next attempts, then the positions.
	 */
	static int compareDue(QueueEntry<?> one, QueueEntry<?> other) {
		// nanoTime may overflow: only differences can be compared
		int order = Long.signum(one.due - other.due);
		return (order != 0) ? order : Long.compare(one.position(), other.position());
	}

	/**
	 * States of an entry.
	 */
	enum State {

		/** Nothing is pending. */
		IDLE,

		/** An event can be delivered. */
		READY,

		/** An event failed and waits for its retry. */
		DELAYED,

		/** An event is pending, and the gate is closed for it. */
		HELD,

		/** An event is being delivered. */
		DELIVERING

	}

}
