/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * The local copy of an informer follows the server again after it was stale.
 *
 * @param informer the name of the informer
 * @param since when that was seen
 * @param reason since when it had been stale
 */
public record InformerRecoveredEvent(String informer, Instant since,
		String reason) implements InformerApplicationEvent {
}
