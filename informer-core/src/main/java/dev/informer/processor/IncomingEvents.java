/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;
import java.util.function.ObjLongConsumer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Last batch that was added to a {@link HandlerQueue}, until its events are accepted one
 * by one. That is done when the queue is used next, usually by a thread of the handler,
 * so the informer does not process a long list once per handler. The next batch has the
 * one before it accepted, so one batch at most is kept whose events are not coalesced.
 * <p>
 * Deliveries have parts of an initial list accepted if nothing else is pending, so not
 * all handlers have entries for all objects at the same time. Of other batches, they need
 * all events: the last state of an object is to be delivered.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the {@link HandlerLock}.
 *
 * @param <T> the type of the objects
 */
final class IncomingEvents<T extends KubernetesObject> {

	/** Number of events of a part, above that of a batch of changes. */
	private static final int PART = 2_000;

	private final ObjLongConsumer<KeyedEvent<T>> consumer;

	private List<KeyedEvent<T>> events = List.of();

	/** Whether deliveries need a part of the events only. */
	private boolean inParts;

	private int accepted;

	private long receivedNanos;

	/**
	 * Create an empty batch.
	 * @param consumer accepts an event and the time at which it was received
	 */
	IncomingEvents(ObjLongConsumer<KeyedEvent<T>> consumer) {
		this.consumer = consumer;
	}

	/**
	 * Set the batch, after all events of the last one have been accepted.
	 * @param alone whether no other event is pending
	 */
	void set(List<KeyedEvent<T>> added, long nanos, boolean alone) {
		this.inParts = alone && !added.isEmpty() && Pending.isInitial(added.get(0).event());
		this.events = added;
		this.receivedNanos = nanos;
	}

	/**
	 * Have all events accepted.
	 */
	void accept() {
		while (!isEmpty()) {
			acceptPart();
		}
	}

	/**
	 * Have the events accepted unless they may be accepted in parts.
	 */
	void acceptChanges() {
		if (!this.inParts) {
			accept();
		}
	}

	/**
	 * Have a part of the events accepted.
	 */
	void acceptPart() {
		int end = Math.min(this.accepted + PART, this.events.size());
		while (this.accepted < end) {
			this.consumer.accept(this.events.get(this.accepted), this.receivedNanos);
			// after it: an OutOfMemoryError does not lose an event
			this.accepted++;
		}
		if (end == this.events.size()) {
			clear();
		}
	}

	boolean isEmpty() {
		return this.events.isEmpty();
	}

	/**
	 * Return whether there is an event of the initial list.
	 */
	boolean hasInitial() {
		// no allocation: an OutOfMemoryError must not hide that the batch was added
		for (int i = this.accepted; i < this.events.size(); i++) {
			if (Pending.isInitial(this.events.get(i).event())) {
				return true;
			}
		}
		return false;
	}

	void clear() {
		this.events = List.of();
		this.accepted = 0;
	}

}
