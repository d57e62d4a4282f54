/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Objects;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Difference between the last delivered and the current state of an object.
 *
 * @param <T> the type of the object
 * @param lastDelivered the last delivered state; {@code null} when the handler does not
 * know the object
 * @param current the current state; {@code null} when the object has been deleted
 * @param deletion the deletion of the last delivered object; {@code null} when the object
 * has not been deleted or its final state is unknown
 * @param initialList whether the object is part of the initial list of the handler
 * @param resync whether to deliver an update without a change
 */
record PendingDelivery<T extends KubernetesObject>(@Nullable T lastDelivered, @Nullable T current,
		@Nullable Deleted<T> deletion, boolean initialList, boolean resync) {

	/**
	 * Return the event to deliver. A recreation needs two: this one is the deletion, and
	 * the addition follows from the state after it.
	 * @param filter the filter of the handler
	 * @return the event; {@code null} for none
	 */
	@Nullable ResourceEvent<T> event(EventFilter<T> filter) {
		T last = this.lastDelivered;
		T now = this.current;
		if (last == null) {
			return (now != null && filter.matches(now)) ? new Added<>(now, this.initialList) : null;
		}
		if (now == null || !ObjectKey.sameObject(last, now)) {
			return toDeleted(last, (this.deletion != null) ? this.deletion.reason() : Reason.DELETED);
		}
		if (!filter.matches(now)) {
			return new Deleted<>(now, last, false, Reason.FILTERED);
		}
		boolean changed = now != last && filter.isChanged(last, now);
		return (changed || this.resync) ? new Updated<>(last, now, !changed) : null;
	}

	private Deleted<T> toDeleted(T last, Reason reason) {
		Deleted<T> seen = this.deletion;
		return (seen != null) ? new Deleted<>(seen.object(), last, seen.finalStateUnknown(), reason)
				: new Deleted<>(last, last, true, reason);
	}

	/**
	 * Return whether the next event is the deletion of the last delivered object, which
	 * is no longer in the cache.
	 */
	boolean isDeletion() {
		return this.lastDelivered != null && (this.current == null || isRecreation());
	}

	/**
	 * Return the object of the next event.
	 * @return a state of it; {@code null} if there is neither a last delivered nor a
	 * current one
	 */
	@Nullable T object() {
		return isDeletion() ? this.lastDelivered : this.current;
	}

	/**
	 * Return this deletion with the reason {@link Reason#MOVED}.
	 */
	PendingDelivery<T> moved() {
		T last = Objects.requireNonNull(this.lastDelivered);
		return new PendingDelivery<>(last, this.current, toDeleted(last, Reason.MOVED), this.initialList, this.resync);
	}

	/**
	 * Return the change of the cache that leads to the current state.
	 * @return the change; {@code null} if the object was created and deleted
	 */
	@Nullable ResourceEvent<T> toChange() {
		T last = this.lastDelivered;
		T now = this.current;
		if (now != null) {
			return (last != null && !isRecreation()) ? new Updated<>(last, now, this.resync)
					: new Added<>(now, this.initialList);
		}
		if (this.deletion != null) {
			return this.deletion;
		}
		return (last != null) ? new Deleted<>(last, last, true) : null;
	}

	/**
	 * Return whether the current object has the name of the last delivered one but
	 * another UID.
	 */
	boolean isRecreation() {
		return this.lastDelivered != null && this.current != null
				&& !ObjectKey.sameObject(this.lastDelivered, this.current);
	}

	/**
	 * Return the last delivered state after the delivery of an event.
	 * @param event the event; {@code null} for none
	 */
	@Nullable T stateAfter(@Nullable ResourceEvent<T> event) {
		if (event == null) {
			return this.lastDelivered;
		}
		return (event instanceof Deleted<T>) ? null : event.object();
	}

}
