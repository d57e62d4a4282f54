/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Last delivered and current state of an object, from which one pending event follows.
 *
 * @see dev.informer.QueuePolicy#COALESCE
 */
final class CoalescedEntry<T extends KubernetesObject> extends QueueEntry<T> {

	private @Nullable T lastDelivered;

	private @Nullable String lastUid;

	private @Nullable T current;

	private @Nullable String uid;

	/** Last deletion of an object that the handler knows. */
	private @Nullable Deleted<T> deletion;

	private boolean initialList;

	private boolean resync;

	private boolean pending;

	private long position;

	private long receivedNanos;

	CoalescedEntry(String key, @Nullable T lastDelivered, @Nullable String uid) {
		super(key);
		this.lastDelivered = lastDelivered;
		this.lastUid = uid;
		this.current = lastDelivered;
		this.uid = uid;
	}

	@Override
	void add(KeyedEvent<T> keyed, long position, long receivedNanos) {
		ResourceEvent<T> event = keyed.event();
		if (!this.pending) {
			this.position = position;
			this.receivedNanos = receivedNanos;
		}
		if (event instanceof Deleted<T> deleted) {
			// an object that is being added counts as known: when the delivery
			// succeeds, its deletion is to be delivered with this final state
			if (isKnown(keyed.uid())) {
				this.deletion = deleted;
			}
			this.current = null;
			this.initialList = false;
			this.resync = false;
		}
		else {
			if (event instanceof Added<T> added) {
				this.initialList = this.lastDelivered == null && added.initialList();
			}
			this.current = event.object();
			this.uid = keyed.uid();
			this.resync |= event.resync();
		}
		// what the delivery in progress leads to is unknown until it has ended
		this.pending = deliveryOrNull() != null || isDifferent();
	}

	private boolean isKnown(@Nullable String deleted) {
		if (this.lastDelivered != null) {
			return KeyedEvent.isSame(this.lastUid, deleted);
		}
		PendingDelivery<T> delivery = deliveryOrNull();
		return delivery != null && delivery.current() != null && KeyedEvent.isSame(delivery.uid(), deleted);
	}

	private boolean isDifferent() {
		return this.lastDelivered != this.current || this.resync;
	}

	@Override
	int size() {
		return this.pending ? 1 : 0;
	}

	@Override
	long position() {
		return this.position;
	}

	@Override
	long receivedNanos() {
		return this.receivedNanos;
	}

	@Override
	int initialSize() {
		PendingDelivery<T> delivery = deliveryOrNull();
		return (this.initialList || (delivery != null && delivery.initialList())) ? 1 : 0;
	}

	@Override
	protected void begun() {
		if (this.current != null && !delivery().isRecreation()) {
			this.deletion = null;
		}
		this.pending = false;
		this.resync = false;
	}

	@Override
	PendingDelivery<T> next(@Nullable T cached) {
		PendingDelivery<T> delivery = deliveryOrNull();
		return (delivery != null) ? delivery : new PendingDelivery<>(this.lastDelivered, this.lastUid, this.current,
				this.uid, this.deletion, this.initialList, this.resync);
	}

	@Override
	boolean restore(PendingDelivery<T> undelivered, long position, long receivedNanos) {
		T now = this.current;
		T then = undelivered.current();
		if ((now == null || then == null) ? now != then : !KeyedEvent.isSame(this.uid, undelivered.uid())) {
			// a handler that was invoked for the addition is to receive the deletion
			return false;
		}
		if (!this.pending) {
			this.position = position;
			this.receivedNanos = receivedNanos;
		}
		this.lastDelivered = undelivered.lastDelivered();
		this.lastUid = undelivered.lastUid();
		if (now == null || undelivered.isRecreation()) {
			this.deletion = undelivered.deletion();
		}
		this.initialList |= undelivered.initialList();
		this.resync |= undelivered.resync();
		this.pending = isDifferent();
		return this.pending;
	}

	@Override
	protected void delivered(PendingDelivery<T> ended, @Nullable T state) {
		// of a recreation, only the deletion has been delivered
		boolean halfway = state == null && ended.isRecreation();
		if (state != ended.lastDelivered()) {
			this.lastUid = ended.uid();
		}
		this.lastDelivered = state;
		this.initialList = false;
		if (state == null) {
			this.deletion = null;
		}
		if (halfway) {
			restorePosition();
		}
		this.pending = (this.pending || halfway) && isDifferent();
	}

	@Override
	protected void notDelivered(PendingDelivery<T> ended) {
		this.resync |= this.current != null && ended.resync();
		restorePosition();
		this.pending = isDifferent();
	}

	private void restorePosition() {
		this.position = deliveryPosition();
		this.receivedNanos = deliveryNanos();
	}

	@Override
	boolean isUpToDate() {
		return deliveryOrNull() == null && !this.pending && this.lastDelivered == this.current;
	}

}
