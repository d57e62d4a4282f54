/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Handler of the events of an informer. Invoked by one thread at a time, not necessarily
 * the same one; with a {@link HandlerOptions#concurrency()} above 1, by several threads
 * for different objects. A slow handler does not delay other handlers.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ResourceEventHandler<T extends KubernetesObject> {

	/**
	 * Handle an event. The cache already contains the change. If the informer has a
	 * selector, an object that no longer matches is delivered as deleted although it
	 * still exists at the server.
	 * @param event the event
	 * @throws Exception any failure. It is logged and published to the
	 * {@link HandlerErrorHandler} and the {@link InformerListener}s, and the event is
	 * retried as the {@link RetryPolicy} says
	 */
	void handle(ResourceEvent<T> event) throws Exception;

}
