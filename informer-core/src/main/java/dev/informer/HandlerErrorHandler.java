/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Hears of each call of a handler that has thrown, on the thread of that call; with a
 * concurrency above 1 on several threads at once. The next attempt is not begun before it
 * has returned. What it throws is logged and changes nothing.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface HandlerErrorHandler<T extends KubernetesObject> {

	/**
	 * A call has failed.
	 * @param failure what failed, and what happens next
	 */
	void failed(HandlerFailure<? extends T> failure);

}
