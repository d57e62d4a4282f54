/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Parameters of a WATCH request. Bookmarks are always requested.
 *
 * @param resourceVersion the resource version after which changes are sent
 * @param timeout the time after which the server ends the watch, in whole seconds
 * @param sendInitialEvents whether the server first sends the state at a version that is
 * at least as new, as ADDED events followed by a bookmark
 * @param selector the objects to watch; {@code null} for all
 */
public record WatchRequest(String resourceVersion, Duration timeout, boolean sendInitialEvents,
		@Nullable ObjectSelector selector) {

	/**
	 * Create a request for all objects.
	 * @param resourceVersion the resource version
	 * @param timeout the time after which the server ends the watch
	 * @param sendInitialEvents whether the server first sends the state
	 */
	public WatchRequest(String resourceVersion, Duration timeout, boolean sendInitialEvents) {
		this(resourceVersion, timeout, sendInitialEvents, null);
	}

	/**
	 * Return a request for the objects that a selector selects.
	 * @param selector the selector; {@code null} for all objects
	 * @return the new request
	 */
	public WatchRequest of(@Nullable ObjectSelector selector) {
		return new WatchRequest(this.resourceVersion, this.timeout, this.sendInitialEvents, selector);
	}

}
