/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * From what a handler was told last about an object to what it has to know now.
 *
 * @param <T> the type of the object
 * @param told what the handler was told last; {@code null} when it does not know of the
 * object
 * @param now what there is now; {@code null} when the object is gone
 * @param deletion how the object that was told went; {@code null} when it did not, or
 * when nobody knows
 * @param initialList whether the object was there when the handler began to listen
 * @param resync whether the handler is to be told though nothing has changed
 */
record PendingDelivery<T extends KubernetesObject>(@Nullable T told, @Nullable T now, @Nullable Deleted<T> deletion,
		boolean initialList, boolean resync) {

	/**
	 * What the handler is to be told: the first step, where there are two.
	 * @param filter says what the handler wants to know
	 * @return the event; {@code null} when there is nothing to tell
	 */
	@Nullable ResourceEvent<T> event(EventFilter<T> filter) {
		T last = this.told;
		T current = this.now;
		if (last == null) {
			return (current != null && filter.matches(current)) ? new Added<>(current, this.initialList) : null;
		}
		if (current == null || !ObjectKey.sameObject(last, current)) {
			Deleted<T> seen = this.deletion;
			return (seen != null) ? new Deleted<>(seen.object(), last, seen.finalStateUnknown())
					: new Deleted<>(last, last, true);
		}
		if (!filter.matches(current)) {
			return new Deleted<>(current, last, false);
		}
		boolean wanted = this.resync || (current != last && filter.isChanged(last, current));
		return wanted ? new Updated<>(last, current) : null;
	}

	/**
	 * Whether another object has taken the place of the one that was told: then that is
	 * told as deleted first, and the other one after it.
	 */
	boolean isRebirth() {
		return this.told != null && this.now != null && !ObjectKey.sameObject(this.told, this.now);
	}

	/**
	 * What the handler knows once it was told.
	 * @param event what it was told; {@code null} for nothing
	 */
	@Nullable T after(@Nullable ResourceEvent<T> event) {
		if (event == null) {
			return this.told;
		}
		return (event instanceof Deleted<T>) ? null : event.object();
	}

}
