/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Part of a replica in the work of the application.
 *
 * @param identity the identity of the replica
 * @param leader the identity of the leader, or {@code null} if there is none
 * @param slots the number of slots
 * @param owned the slots that the replica owns
 * @param deployments the Deployments of these slots, whose rollouts the replica logs
 */
record Replica(String identity, @Nullable String leader, int slots, Set<Integer> owned, Set<String> deployments) {

}
