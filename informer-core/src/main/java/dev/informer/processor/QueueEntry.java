/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * QueueEntry of one object in a {@link HandlerQueue}. Not thread-safe.
 */
final class QueueEntry<T extends KubernetesObject> {

	private final String key;

	private final Pending<T> pending;

	private State state = State.IDLE;

	private @Nullable Target target;

	private Access access = Access.OPEN;

	/** Time of the next attempt, or of the beginning of the current one. */
	private long due;

	private int failures;

	private int attempts;

	private @Nullable ResourceEvent<T> failed;

	/**
	 * Create an entry without a pending event.
	 */
	QueueEntry(String key, Pending<T> pending) {
		this.key = key;
		this.pending = pending;
	}

	String key() {
		return this.key;
	}

	/**
	 * Return the next invocation, or the one that is being delivered; {@code null} if it
	 * needs no gate.
	 */
	@Nullable Target target() {
		return this.target;
	}

	/**
	 * Return the access of the next invocation.
	 */
	Access access() {
		return this.access;
	}

	void access(@Nullable Target target, Access access) {
		this.target = target;
		this.access = access;
	}

	Pending<T> pending() {
		return this.pending;
	}

	State state() {
		return this.state;
	}

	void state(State state) {
		this.state = state;
	}

	/**
	 * Return the time of the next attempt, in nanoseconds; of an object that is being
	 * delivered, the time at which that began.
	 */
	long due() {
		return this.due;
	}

	/**
	 * Begin a delivery at {@code now}, in nanoseconds.
	 */
	void beginDelivery(long now) {
		this.state = State.DELIVERING;
		this.due = now;
	}

	/**
	 * Return the number of failures and postponements in a row, over all states of the
	 * object.
	 */
	int failures() {
		return this.failures;
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
		return (order != 0) ? order : Long.compare(one.pending.position(), other.pending.position());
	}

	/**
	 * Return the number of failed attempts in a row to deliver the event that failed
	 * last.
	 */
	int failedAttempts() {
		return this.attempts;
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
