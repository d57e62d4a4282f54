/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * Application event published when this application has become leader. Published on the
 * thread {@code informer-events}, like the {@link InformerApplicationEvent}s: the
 * leadership may have been lost again.
 *
 * @param election the name of the election
 * @param identity the identity of this application
 */
public record LeadershipAcquiredEvent(String election, String identity) {
}
