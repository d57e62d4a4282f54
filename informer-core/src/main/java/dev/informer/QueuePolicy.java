/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Policy for the pending events of a handler.
 */
public enum QueuePolicy {

	/**
	 * Keeps the last delivered state and the current state of each object. A handler that
	 * keeps up receives every event. A slower handler receives fewer, coalesced events,
	 * and the memory of its queue is bounded by the number of objects.
	 */
	COALESCE,

	/**
	 * Keeps every event. The memory of the queue is not bounded.
	 */
	KEEP_ALL

}
