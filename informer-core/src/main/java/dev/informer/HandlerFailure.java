/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * A call of a handler that has thrown.
 *
 * @param <T> the type of the object
 * @param handler the name of the handler
 * @param event what it was told
 * @param attempt how often it has been told this by now, from 1
 * @param retryIn how long until it is told again; {@code null} when that was the last
 * attempt
 * @param cause what it has thrown
 */
public record HandlerFailure<T extends KubernetesObject>(String handler, ResourceEvent<T> event, int attempt,
		@Nullable Duration retryIn, Throwable cause) {

	/**
	 * Whether there is no further attempt.
	 * @return whether this was the last one
	 */
	public boolean givenUp() {
		return this.retryIn == null;
	}

}
