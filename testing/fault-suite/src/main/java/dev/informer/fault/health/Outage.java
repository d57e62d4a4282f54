/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.util.Set;

import dev.informer.fault.journal.WatchedResource;

/**
 * Time in which informers received nothing. All times are in nanoseconds.
 *
 * @param resources the resources of these informers
 * @param start the time from which nothing could be received
 * @param servable the time from which the server could serve again
 * @param recovered the time at which the caches were current again
 * @param noticed whether the client gets to see the fault at once, as with a refused
 * connection
 * @param silent whether the server answers no request at all until it is servable
 */
public record Outage(Set<WatchedResource> resources, long start, long servable, long recovered, boolean noticed,
		boolean silent) {
}
