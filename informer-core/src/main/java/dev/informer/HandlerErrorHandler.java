/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Callback for failed invocations of a handler. Invoked on the thread of the invocation;
 * with a concurrency above 1, on several threads concurrently. A retry does not start
 * before this callback has returned. Exceptions that it throws are logged and ignored.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface HandlerErrorHandler<T extends KubernetesObject> {

	/**
	 * Handle a failed invocation.
	 * @param failure the failure, with the delay until the retry
	 */
	void failed(HandlerFailure<? extends T> failure);

}
