/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.List;

/**
 * Deltas that the store takes in one step, so that its readers see all of them or none. A
 * {@link Delta.ReplacedAll}, a {@link Delta.Assigned} or a {@link Delta.SyncAll} is alone
 * in its batch.
 *
 * @param deltas the deltas in the order of their arrival, at least one
 * @param receivedAt when the first one was queued, in nanoseconds of the queue's time
 * source
 */
public record Batch<T>(List<Delta<T>> deltas, long receivedAt) {
}
