/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import dev.informer.fault.journal.WatchedResource;

/**
 * Time in which an informer received nothing. All times are in nanoseconds.
 *
 * @param resource the resource of this informer
 * @param start the time from which nothing could be received
 * @param servable the time from which the server could serve again
 * @param recovered the time at which the cache was current again
 * @param noticed whether the client gets to see the fault at once, as with a refused
 * connection
 * @param silent whether the server answers no request at all until it is servable
 */
public record Outage(WatchedResource resource, long start, long servable, long recovered, boolean noticed,
		boolean silent) {
}
