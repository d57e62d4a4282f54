/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Server that replays a cluster with many objects, in a separate process.
 */
@NullMarked
package dev.informer.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
