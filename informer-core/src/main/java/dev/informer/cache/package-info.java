/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Cache of a resource: the deltas that change it, their queue, and the indexed store.
 */
@NullMarked
package dev.informer.cache;

import org.jspecify.annotations.NullMarked;
