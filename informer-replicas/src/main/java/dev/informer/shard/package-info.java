/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Division of work between replicas by Leases of Kubernetes:
 * {@link dev.informer.shard.ShardMember}, whose decisions are those of
 * {@code Membership}.
 */
@NullMarked
package dev.informer.shard;

import org.jspecify.annotations.NullMarked;
