/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

/**
 * Reasons not to invoke a handler. A handler is invoked while it has none of them.
 */
public enum PauseReason {

	/** The handler was paused by its registration or added with the option. */
	REQUESTED,

	/** Some informers of the factory have not synced. */
	NOT_SYNCED,

	/** The handlers of the factory are suspended. */
	SUSPENDED,

	/** The gate of the handler is closed. */
	GATE_CLOSED

}
