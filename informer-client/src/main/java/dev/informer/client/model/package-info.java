/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Classes of objects as the decoders see them, and what the objects consist of. A table
 * per class ({@link dev.informer.client.model.ObjectTable}), built by reflection from the
 * fields that Gson would use, creates objects and sets their properties. Lists and maps
 * are compact, and all objects share equal values
 * ({@link dev.informer.client.model.SharedValues}), whichever format they come from.
 * <p>
 * Threads share these caches without locks: entries are immutable, and a lost update
 * costs time only.
 */
@NullMarked
package dev.informer.client.model;

import org.jspecify.annotations.NullMarked;
