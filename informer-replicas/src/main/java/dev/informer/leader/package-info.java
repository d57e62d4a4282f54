/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Leader election by Leases of Kubernetes: {@link dev.informer.leader.LeaderElector},
 * whose decisions are those of {@code Election}.
 */
@NullMarked
package dev.informer.leader;

import org.jspecify.annotations.NullMarked;
