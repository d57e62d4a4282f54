/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * What the queue of a handler keeps while the handler is busy.
 */
public enum QueuePolicy {

	/**
	 * For each object what the handler was told last and what is true now. A handler that
	 * keeps up is told everything; one that does not is told less often, and its memory
	 * stays bounded by what it was told and what is stored.
	 */
	COALESCE,

	/**
	 * Every event. The memory is not bounded.
	 */
	KEEP_ALL

}
