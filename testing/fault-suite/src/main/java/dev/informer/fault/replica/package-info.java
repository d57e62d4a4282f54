/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Faults of the replicas of an application that elects a leader or divides objects, and
 * the oracles that judge the invocations of their handlers.
 */
@NullMarked
package dev.informer.fault.replica;

import org.jspecify.annotations.NullMarked;
