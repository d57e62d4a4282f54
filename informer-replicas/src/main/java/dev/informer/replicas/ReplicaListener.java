/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

/**
 * Listener for {@link ReplicaEvent}s. It is notified of one event after the other, by the
 * thread that renews the Lease: it must not block. Exceptions are logged.
 */
@FunctionalInterface
public interface ReplicaListener {

	/**
	 * Handle an event.
	 * @param event the event
	 */
	void onEvent(ReplicaEvent event);

}
