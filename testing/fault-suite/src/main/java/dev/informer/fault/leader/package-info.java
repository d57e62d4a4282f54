/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Faults of the replicas of an application that elects a leader, and the oracle that
 * judges the invocations of their leader-only handlers.
 */
@NullMarked
package dev.informer.fault.leader;

import org.jspecify.annotations.NullMarked;
