/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Object that was taken from a {@link HandlerQueue} for a delivery.
 *
 * @param <T> the type of the object
 * @param entry the entry of the object
 * @param delivery the difference to deliver
 * @param position the position of the oldest undelivered change
 * @param receivedNanos the time at which the oldest undelivered change was received
 */
record QueueItem<T extends KubernetesObject>(Entry<T> entry, PendingDelivery<T> delivery, long position,
		long receivedNanos) {

}
