/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * The local copy of an informer is complete, for the first time since it was started. Its
 * handlers may not have been told everything yet.
 *
 * @param informer the name of the informer
 * @param since when it was complete
 * @param reason what was synced, and how long that took
 */
public record InformerSyncedEvent(String informer, Instant since, String reason) implements InformerApplicationEvent {
}
