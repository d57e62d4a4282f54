/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.util.Set;

/**
 * Application event published when this application is no longer owner of slots.
 * Published on the thread {@code informer-events}, like the
 * {@link InformerApplicationEvent}s.
 *
 * @param group the name of the group of replicas
 * @param identity the identity of this application
 * @param slots the slots
 * @param lost {@code true} if the slots were lost because the membership could not be
 * renewed, so that running invocations have been interrupted; {@code false} if the slots
 * move to other replicas once running invocations have ended
 * @param reason the reason in words
 */
public record SlotsReleasedEvent(String group, String identity, Set<Integer> slots, boolean lost, String reason) {
}
