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

	private final String key;

	private State state = State.IDLE;

	/**
	 * The next invocation, or the one that is being delivered; {@code null} if it needs
	 * no gate.
	 */
	private @Nullable Target target;

	/** Access of the next invocation. */
	private Access access = Access.OPEN;

	/** Time of the next attempt if it is delayed, in nanoseconds. */
	private long retryAt;

	/** Time at which the delivery began, in nanoseconds. */
	private long startedAt;

	/** Number of failures and postponements in a row, over all states of the object. */
	private int failures;

	/** Number of failed attempts in a row to deliver the event that failed last. */
	private int attempts;

	private @Nullable ResourceEvent<T> failed;

	/** The difference that is being delivered; {@code null} for none. */
	private @Nullable PendingDelivery<T> delivery;

	/** Position of the oldest change that is being delivered. */
	private long deliveryPosition;

	/** Time at which the oldest change that is being delivered was received. */
	private long deliveryNanos;

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
	protected abstract void begun();

	/**
	 * End the delivery successfully.
	 * @param ended the difference that was being delivered
	 * @param state the last delivered state from now on; {@code null} for none
	 */
	protected abstract void delivered(PendingDelivery<T> ended, @Nullable T state);

	/**
	 * End the delivery without success. The last delivered state remains.
	 * @param ended the difference that was being delivered
	 */
	protected abstract void notDelivered(PendingDelivery<T> ended);

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

	String key() {
		return this.key;
	}

	State state() {
		return this.state;
	}

	/**
	 * Return the next invocation, or the one that is being delivered; {@code null} if it
	 * needs no gate.
	 */
	@Nullable Target target() {
		return this.target;
	}

	/**
	 * Return the time of the next attempt of a delayed entry, in nanoseconds.
	 */
	long retryAt() {
		return this.retryAt;
	}

	/**
	 * Return the time at which the delivery began, in nanoseconds.
	 */
	long startedAt() {
		return this.startedAt;
	}

	/**
	 * Return the number of failures and postponements in a row.
	 */
	int failures() {
		return this.failures;
	}

	/**
	 * Return the number of failed attempts to deliver the event that failed last.
	 */
	int attempts() {
		return this.attempts;
	}

	long deliveryPosition() {
		return this.deliveryPosition;
	}

	long deliveryNanos() {
		return this.deliveryNanos;
	}

	/**
	 * Return the difference that is being delivered.
	 */
	PendingDelivery<T> delivery() {
		return Objects.requireNonNull(this.delivery);
	}

	/**
	 * Return the difference that is being delivered; {@code null} for none.
	 */
	protected final @Nullable PendingDelivery<T> deliveryOrNull() {
		return this.delivery;
	}

	/**
	 * Set what its next invocation needs, and make it ready or delayed, or held if the
	 * gate is closed for it.
	 */
	void place(State open, @Nullable Target target, Access access) {
		this.target = (access != Access.GONE) ? target : null;
		this.access = access;
		this.state = (access == Access.CLOSED) ? State.HELD : open;
	}

	/**
	 * Return whether it was placed for an invocation with this target and access.
	 */
	boolean isPlacedFor(@Nullable Target target, Access access) {
		return access == this.access && (access == Access.GONE || Objects.equals(target, this.target));
	}

	/**
	 * Make it idle until it is placed.
	 */
	void displace() {
		this.state = State.IDLE;
	}

	/**
	 * Make it ready although it is delayed.
	 */
	void retryNow() {
		this.state = State.READY;
	}

	/**
	 * Begin the delivery of the oldest pending event at {@code now}, in nanoseconds.
	 */
	void begin(long now) {
		this.state = State.DELIVERING;
		this.startedAt = now;
		this.deliveryPosition = position();
		this.deliveryNanos = receivedNanos();
		PendingDelivery<T> next = next(null);
		this.delivery = (this.access == Access.GONE && next.isDeletion()) ? next.unwatched() : next;
		begun();
	}

	/**
	 * End the delivery successfully, or give it up.
	 * @param event the event; {@code null} if the filter left none
	 */
	void delivered(@Nullable ResourceEvent<T> event) {
		PendingDelivery<T> ended = endDelivery();
		delivered(ended, ended.stateAfter(event));
		resetFailures();
	}

	/**
	 * End the delivery with a failure.
	 * @param event the event; {@code null} if it could not be composed
	 * @param retryAt the time of the next attempt, in nanoseconds
	 */
	void failed(@Nullable ResourceEvent<T> event, long retryAt) {
		notDelivered(endDelivery());
		this.attempts = (event != null) ? attempt(event) : 0;
		this.failures++;
		this.failed = event;
		this.retryAt = retryAt;
	}

	/**
	 * End the delivery with a postponement: the next delay is longer, but no attempt is
	 * used up.
	 * @param retryAt the time of the next attempt, in nanoseconds
	 */
	void postponed(long retryAt) {
		notDelivered(endDelivery());
		this.failures++;
		this.retryAt = retryAt;
	}

	/**
	 * End a delivery that has not begun.
	 */
	void putBack() {
		notDelivered(endDelivery());
	}

	private PendingDelivery<T> endDelivery() {
		PendingDelivery<T> ended = delivery();
		this.delivery = null;
		this.state = State.IDLE;
		return ended;
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

	void resetFailures() {
		this.attempts = 0;
		this.failures = 0;
		this.failed = null;
	}

	/**
	 * Compare the times of the next attempts, then the positions.
	 */
	static int compareRetry(QueueEntry<?> one, QueueEntry<?> other) {
		// nanoTime may overflow: only differences can be compared
		int order = Long.signum(one.retryAt - other.retryAt);
		return (order != 0) ? order : Long.compare(one.position(), other.position());
	}

	/**
	 * Compare the times at which the deliveries began.
	 */
	static int compareStart(QueueEntry<?> one, QueueEntry<?> other) {
		return Long.signum(one.startedAt - other.startedAt);
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
