/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * Event published when the cache of an informer may be stale or has not synced: the
 * informer failed permanently, or has been failing for longer than
 * {@code informer.health.failing-threshold}. Its health is DOWN. Published once until the
 * informer has recovered.
 *
 * @param informer the name of the informer
 * @param since the time of the first of the failures in a row
 * @param reason the cause of the last failure, with its remedy
 */
public record InformerStaleEvent(String informer, Instant since, String reason) implements InformerApplicationEvent {
}
