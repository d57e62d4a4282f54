/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.util.Set;

/**
 * Application event published when this application has become owner of slots, whose
 * objects it handles from now on. Published on the thread {@code informer-events}, like
 * the {@link InformerApplicationEvent}s: the slots may have moved on.
 *
 * @param group the name of the group of replicas
 * @param identity the identity of this application
 * @param slots the slots
 */
public record SlotsAcquiredEvent(String group, String identity, Set<Integer> slots) {
}
