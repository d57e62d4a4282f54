/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has yet to be told about one object. What has been begun stays here
 * until it is known how it ended. Not thread-safe, part of a {@link HandlerQueue}.
 *
 * @param <T> the type of the object
 */
interface Pending<T extends KubernetesObject> {

	/**
	 * Takes an event, in the order of the changes of the store.
	 * @param event the event
	 * @param position grows from event to event, over all objects
	 * @param received when the event came from the server
	 */
	void add(ResourceEvent<T> event, long position, long received);

	/**
	 * How much waits, what has been begun not counted.
	 */
	int size();

	/**
	 * The position of what waits longest.
	 */
	long position();

	/**
	 * When what waits longest came from the server.
	 */
	long received();

	/**
	 * How many adds of the initial list are here, begun or not.
	 */
	int initialSize();

	/**
	 * Begins with what waits longest.
	 */
	PendingDelivery<T> begin();

	/**
	 * Ends what has been begun: the handler was told.
	 * @param state what it knows of the object now
	 */
	void told(@Nullable T state);

	/**
	 * Ends what has been begun: the handler has thrown, and knows what it knew before.
	 */
	void failed();

	/**
	 * Whether nothing waits, and what the handler knows is what is in the store, so that
	 * the next event says it.
	 */
	boolean isForgettable();

}
