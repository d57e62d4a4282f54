/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Deleted;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * All undelivered events of an object.
 *
 * @see dev.informer.QueuePolicy#KEEP_ALL
 */
final class KeepAllEntry<T extends KubernetesObject> extends QueueEntry<T> {

	private final Deque<Received<T>> events = new ArrayDeque<>();

	private int initialSize;

	/** Whether the last delivered state is not the one after the last removed event. */
	private boolean deviating;

	/** The last delivered state if it deviates. */
	private @Nullable T lastDelivered;

	private @Nullable String lastUid;

	KeepAllEntry(String key) {
		super(key);
	}

	@Override
	void add(KeyedEvent<T> keyed, long position, long receivedNanos) {
		this.events.add(new Received<>(keyed, position, receivedNanos));
		this.initialSize += keyed.isInitial() ? 1 : 0;
	}

	@Override
	int size() {
		return this.events.size() - ((deliveryOrNull() != null) ? 1 : 0);
	}

	@Override
	long position() {
		return this.events.element().position();
	}

	@Override
	long receivedNanos() {
		return this.events.element().nanos();
	}

	@Override
	int initialSize() {
		return this.initialSize;
	}

	@Override
	protected void begun() {
		// the event remains the first one until the end of its delivery
	}

	@Override
	PendingDelivery<T> next(@Nullable T cached) {
		if (this.events.isEmpty()) {
			return this.deviating
					? new PendingDelivery<>(this.lastDelivered, this.lastUid, cached, null, null, false, false)
					: PendingDelivery.none(cached, null);
		}
		KeyedEvent<T> next = this.events.element().keyed();
		ResourceEvent<T> event = next.event();
		return new PendingDelivery<>(this.deviating ? this.lastDelivered : event.previous(),
				this.deviating ? this.lastUid : next.uid(), stateAfter(event), next.uid(),
				(event instanceof Deleted<T> deleted) ? deleted : null, next.isInitial(), event.resync());
	}

	@Override
	boolean restore(PendingDelivery<T> undelivered, long position, long receivedNanos) {
		ResourceEvent<T> event = undelivered.toChange();
		if (event == null) {
			return false;
		}
		addFirst(event, undelivered.uid(), position, receivedNanos);
		if (undelivered.isRecreation()) {
			addFirst(undelivered.toDeleted(), undelivered.lastUid(), position, receivedNanos);
		}
		this.deviating = true;
		this.lastDelivered = undelivered.lastDelivered();
		this.lastUid = undelivered.lastUid();
		return true;
	}

	private void addFirst(ResourceEvent<T> event, @Nullable String uid, long position, long receivedNanos) {
		// the position of the first event is that of the entry, and does not change
		KeyedEvent<T> keyed = new KeyedEvent<>(key(), uid, event);
		this.events.addFirst(this.events.isEmpty() ? new Received<>(keyed, position, receivedNanos)
				: new Received<>(keyed, position(), receivedNanos()));
		this.initialSize += keyed.isInitial() ? 1 : 0;
	}

	@Override
	protected void delivered(PendingDelivery<T> ended, @Nullable T state) {
		KeyedEvent<T> removed = this.events.remove().keyed();
		this.initialSize -= removed.isInitial() ? 1 : 0;
		boolean deviated = this.deviating;
		this.deviating = state != stateAfter(removed.event());
		if (!this.deviating || !deviated) {
			this.lastUid = this.deviating ? removed.uid() : null;
		}
		this.lastDelivered = this.deviating ? state : null;
	}

	@Override
	protected void notDelivered(PendingDelivery<T> ended) {
		// the event is the first one still
	}

	@Override
	boolean isUpToDate() {
		return this.events.isEmpty() && !this.deviating;
	}

	private static <T extends KubernetesObject> @Nullable T stateAfter(ResourceEvent<T> event) {
		return (event instanceof Deleted<T>) ? null : event.object();
	}

	private record Received<T extends KubernetesObject>(KeyedEvent<T> keyed, long position, long nanos) {

	}

}
