/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * Event published when the cache of an informer follows the server again after it was
 * stale.
 *
 * @param informer the name of the informer
 * @param since the time of the recovery
 * @param reason the time since which it was stale, in words
 */
public record InformerRecoveredEvent(String informer, Instant since,
		String reason) implements InformerApplicationEvent {
}
