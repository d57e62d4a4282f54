/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Measured clients, each in a separate process.
 */
@NullMarked
package dev.informer.benchmarks.client;

import org.jspecify.annotations.NullMarked;
