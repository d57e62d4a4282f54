/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Pending events of one object. Not thread-safe.
 */
interface Pending<T extends KubernetesObject> {

	/**
	 * Add an event, in the order of the changes of the cache.
	 * @param position a number that grows with each event of the handler
	 */
	void add(KeyedEvent<T> keyed, long position, long receivedNanos);

	/**
	 * Return the number of pending events, without the one that is being delivered.
	 */
	int size();

	/**
	 * Return the position of the oldest pending event.
	 */
	long position();

	/**
	 * Return the time at which the oldest pending event was received.
	 */
	long receivedNanos();

	/**
	 * Return the number of added events of the initial list, including one that is being
	 * delivered.
	 */
	int initialSize();

	/**
	 * Begin the delivery of the oldest pending event.
	 */
	PendingDelivery<T> begin();

	/**
	 * End the delivery successfully.
	 * @param state the last delivered state from now on; {@code null} for none
	 */
	void delivered(@Nullable T state);

	/**
	 * End the delivery with a failure. The last delivered state remains.
	 */
	void failed();

	/**
	 * Make a difference pending that was given up before.
	 * @param undelivered the difference; every event after it was given up or not to be
	 * delivered
	 * @param position the position, unless an event is pending
	 * @param receivedNanos the time of the request, unless an event is pending
	 * @return whether it is pending; {@code false} if the object was deleted or recreated
	 * since
	 */
	boolean restore(PendingDelivery<T> undelivered, long position, long receivedNanos);

	/**
	 * Return the difference that {@link #begin()} delivers, or that is being delivered.
	 * @param cached the cached object, which is the current state if no event is pending
	 */
	PendingDelivery<T> next(@Nullable T cached);

	/**
	 * Return whether the last delivered state is the current one and nothing is pending.
	 * Such an object needs no entry: the next event contains the last delivered state.
	 */
	boolean isUpToDate();

	/**
	 * Return whether an event belongs to the initial list.
	 */
	static boolean isInitial(ResourceEvent<?> event) {
		return event instanceof Added<?> added && added.initialList();
	}

}
