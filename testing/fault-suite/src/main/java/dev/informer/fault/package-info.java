/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Scenarios with faults of servers, networks and clients, and the report of their runs.
 */
@NullMarked
package dev.informer.fault;

import org.jspecify.annotations.NullMarked;
