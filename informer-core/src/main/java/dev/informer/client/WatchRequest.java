/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;

/**
 * What a WATCH asks for. Bookmarks are always asked for.
 *
 * @param resourceVersion changes after this version are wanted
 * @param timeout when the server shall end the watch, in whole seconds
 * @param sendInitialEvents whether the state at some version that is not older comes
 * first, as additions and a bookmark at their end
 */
public record WatchRequest(String resourceVersion, Duration timeout, boolean sendInitialEvents) {
}
