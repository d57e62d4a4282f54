/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;

import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Result of a delivery by a {@link HandlerInvoker}.
 */
sealed interface DeliveryResult<T extends KubernetesObject> {

	/**
	 * Nothing happened that counts: the invocation was not permitted to begin, or was
	 * interrupted by a stop, a suspension or the gate. The event stays pending.
	 */
	record NotBegun<T extends KubernetesObject>() implements DeliveryResult<T> {

	}

	/**
	 * The handler has postponed the event.
	 */
	record Postponed<T extends KubernetesObject>(Duration delay) implements DeliveryResult<T> {

	}

	/**
	 * The delivery has failed and is retried.
	 *
	 * @param event the event; {@code null} if it could not be composed
	 */
	record Failed<T extends KubernetesObject>(@Nullable ResourceEvent<T> event,
			Duration retryIn) implements DeliveryResult<T> {

	}

	/**
	 * The delivery is not retried.
	 *
	 * @param event the event; {@code null} if the filter left none
	 * @param failure the name of the class of the exception; {@code null} without one
	 */
	record Ended<T extends KubernetesObject>(@Nullable ResourceEvent<T> event, Outcome outcome,
			@Nullable String failure) implements DeliveryResult<T> {

	}

}
