/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

import dev.informer.HandlerFailure;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Hears of handlers, and of their calls on the thread of the call.
 */
public interface HandlerListener {

	/**
	 * A handler was added or removed: told by the thread that did so.
	 */
	void handlersChanged();

	/**
	 * What is called in place of a handler, and calls it.
	 * @param <T> the type of the objects
	 * @param handler its name
	 * @param target the handler
	 * @return the handler itself, or what stands around it
	 */
	default <T extends KubernetesObject> ResourceEventHandler<T> around(String handler,
			ResourceEventHandler<T> target) {
		return target;
	}

	/**
	 * A handler was called.
	 * @param handler its name
	 * @param event what it was told
	 * @param time how long it took
	 * @param attempt how often it has been told this by now, from 1
	 * @param failure what it has thrown; {@code null} when it returned
	 */
	void handled(String handler, ResourceEvent<?> event, Duration time, int attempt, @Nullable Throwable failure);

	/**
	 * A handler knows of an event now: it has returned.
	 * @param handler its name
	 * @param event what it was told
	 * @param lag since when the event was here
	 */
	void delivered(String handler, ResourceEvent<?> event, Duration lag);

	/**
	 * A handler has thrown.
	 * @param failure what failed, and what happens next
	 */
	void failed(HandlerFailure<?> failure);

	/**
	 * The filter of a handler has thrown, which lets the event pass.
	 * @param handler the name of the handler
	 * @param key the key of the object
	 * @param cause what was thrown
	 */
	void filterFailed(String handler, String key, Throwable cause);

}
