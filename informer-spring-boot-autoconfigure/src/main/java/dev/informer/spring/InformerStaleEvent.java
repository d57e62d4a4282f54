/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Instant;

/**
 * The local copy of an informer may be out of date, or is not there yet: the informer has
 * given up, or has been failing for longer than
 * {@code informer.health.failing-threshold}. Its health is down. Told once until it has
 * recovered.
 *
 * @param informer the name of the informer
 * @param since when the first of the failures in a row happened
 * @param reason why the last attempt failed and what to do about it
 */
public record InformerStaleEvent(String informer, Instant since, String reason) implements InformerApplicationEvent {
}
