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
final class KeepAllPending<T extends KubernetesObject> implements Pending<T> {

	private final Deque<Received<T>> events = new ArrayDeque<>();

	private int initialSize;

	private boolean inProgress;

	/** Whether the last delivered state is not the one after the last removed event. */
	private boolean deviating;

	/** The last delivered state if it deviates. */
	private @Nullable T lastDelivered;

	private @Nullable String lastUid;

	@Override
	public void add(KeyedEvent<T> keyed, long position, long receivedNanos) {
		this.events.add(new Received<>(keyed.event(), keyed.uid(), position, receivedNanos));
		this.initialSize += Pending.isInitial(keyed.event()) ? 1 : 0;
	}

	@Override
	public int size() {
		return this.events.size() - (this.inProgress ? 1 : 0);
	}

	@Override
	public long position() {
		return this.events.element().position();
	}

	@Override
	public long receivedNanos() {
		return this.events.element().nanos();
	}

	@Override
	public int initialSize() {
		return this.initialSize;
	}

	@Override
	public PendingDelivery<T> begin() {
		this.inProgress = true;
		return next(null);
	}

	@Override
	public PendingDelivery<T> next(@Nullable T cached) {
		if (this.events.isEmpty()) {
			return this.deviating
					? new PendingDelivery<>(this.lastDelivered, this.lastUid, cached, null, null, false, false)
					: PendingDelivery.none(cached, null);
		}
		Received<T> next = this.events.element();
		ResourceEvent<T> event = next.event();
		return new PendingDelivery<>(this.deviating ? this.lastDelivered : event.previous(),
				this.deviating ? this.lastUid : next.uid(), stateAfter(event), next.uid(),
				(event instanceof Deleted<T> deleted) ? deleted : null, Pending.isInitial(event), event.resync());
	}

	@Override
	public boolean restore(PendingDelivery<T> undelivered, long position, long receivedNanos) {
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
		this.events.addFirst(this.events.isEmpty() ? new Received<>(event, uid, position, receivedNanos)
				: new Received<>(event, uid, position(), receivedNanos()));
		this.initialSize += Pending.isInitial(event) ? 1 : 0;
	}

	@Override
	public void delivered(@Nullable T state) {
		this.inProgress = false;
		Received<T> removed = this.events.remove();
		ResourceEvent<T> event = removed.event();
		this.initialSize -= Pending.isInitial(event) ? 1 : 0;
		boolean deviated = this.deviating;
		this.deviating = state != stateAfter(event);
		if (!this.deviating || !deviated) {
			this.lastUid = this.deviating ? removed.uid() : null;
		}
		this.lastDelivered = this.deviating ? state : null;
	}

	@Override
	public void failed() {
		this.inProgress = false;
	}

	@Override
	public boolean isUpToDate() {
		return this.events.isEmpty() && !this.deviating;
	}

	private static <T extends KubernetesObject> @Nullable T stateAfter(ResourceEvent<T> event) {
		return (event instanceof Deleted<T>) ? null : event.object();
	}

	private record Received<T extends KubernetesObject>(ResourceEvent<T> event, @Nullable String uid, long position,
			long nanos) {

	}

}
