/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the replay server.
 */
@NullMarked
package dev.informer.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
