/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;

/**
 * Parameters of a WATCH request. Bookmarks are always requested.
 *
 * @param resourceVersion the resource version after which changes are sent
 * @param timeout the time after which the server ends the watch, in whole seconds
 * @param sendInitialEvents whether the server first sends the state at a version that is
 * at least as new, as ADDED events followed by a bookmark
 */
public record WatchRequest(String resourceVersion, Duration timeout, boolean sendInitialEvents) {
}
