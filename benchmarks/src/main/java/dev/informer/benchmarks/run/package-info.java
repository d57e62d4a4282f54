/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Runs of servers and clients, one after the other, and the comparison of their
 * measurements.
 */
@NullMarked
package dev.informer.benchmarks.run;

import org.jspecify.annotations.NullMarked;
