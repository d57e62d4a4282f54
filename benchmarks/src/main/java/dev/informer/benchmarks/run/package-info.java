/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Starts servers and clients one after the other, and compares what they have measured.
 */
@NullMarked
package dev.informer.benchmarks.run;

import org.jspecify.annotations.NullMarked;
