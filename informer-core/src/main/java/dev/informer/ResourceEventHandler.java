/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Is told what happens to the objects of an informer. Called by one thread at a time, not
 * necessarily always the same one, or by several for different objects when its
 * {@link HandlerOptions#concurrency()} is above 1; it may take its time, other handlers
 * do not wait for it.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ResourceEventHandler<T extends KubernetesObject> {

	/**
	 * Takes an event. The store has been changed before. When the informer has a
	 * selector, an object that does not match it any more is told as deleted, though it
	 * is still at the server.
	 * @param event what happened
	 * @throws Exception anything; it is logged and told to the
	 * {@link HandlerErrorHandler} and the {@link InformerListener}, and the call is tried
	 * again as the {@link RetryPolicy} says, while those for other objects go on
	 */
	void handle(ResourceEvent<T> event) throws Exception;

}
