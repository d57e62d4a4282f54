/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Listener for {@link InformerEvent}s. It is notified on the threads that do the work and
 * must return quickly; exceptions and errors that it throws are logged and ignored.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface InformerListener {

	/**
	 * Handle an event.
	 * @param event the event
	 */
	void onEvent(InformerEvent event);

}
