/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * Application event published when this application is no longer leader. Published on the
 * thread {@code informer-events}, like the {@link InformerApplicationEvent}s. Running
 * invocations of leader-only handlers have been interrupted by then.
 *
 * @param election the name of the election
 * @param identity the identity of this application
 * @param reason the reason in words
 */
public record LeadershipLostEvent(String election, String identity, String reason) {
}
