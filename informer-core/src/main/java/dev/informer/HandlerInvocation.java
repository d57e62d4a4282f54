/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

/**
 * Invocation of a handler that is running.
 *
 * @param key the key of the object: namespace and name, separated by a slash, or the name
 * alone
 * @param type the type of the event
 * @param duration the time since the invocation began
 */
public record HandlerInvocation(String key, ResourceEvent.Type type, Duration duration) {

}
