/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Failed invocation of a handler.
 *
 * @param <T> the type of the object
 * @param handler the name of the handler
 * @param event the event
 * @param attempt the number of the attempt, starting with 1
 * @param retryIn the delay until the retry; {@code null} if the retries are exhausted
 * @param cause the exception or error thrown
 */
public record HandlerFailure<T extends KubernetesObject>(String handler, ResourceEvent<T> event, int attempt,
		@Nullable Duration retryIn, Throwable cause) {

	/**
	 * Return whether the retries are exhausted.
	 * @return whether there is no further retry
	 */
	public boolean retriesExhausted() {
		return this.retryIn == null;
	}

}
