/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What decoded objects consist of. Lists and maps are compact, and all objects share
 * equal values ({@link dev.informer.client.model.SharedValues}), whichever format they
 * come from.
 * <p>
 * Threads share these caches without locks: entries are immutable, and a lost update
 * costs time only.
 */
@NullMarked
package dev.informer.client.model;

import org.jspecify.annotations.NullMarked;
