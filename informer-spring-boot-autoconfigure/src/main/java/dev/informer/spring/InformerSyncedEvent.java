/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * Event published when the cache of an informer has synced for the first time since it
 * was started. Events may still be pending for its handlers.
 *
 * @param informer the name of the informer
 * @param since the time of the sync
 * @param reason the resource, the number of objects and the duration
 */
public record InformerSyncedEvent(String informer, Instant since, String reason) implements InformerApplicationEvent {
}
