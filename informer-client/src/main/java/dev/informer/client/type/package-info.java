/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Descriptions of the types of the official models and of users' classes:
 * {@link dev.informer.client.type.ValueType}. A type is described once, by reflection.
 * Decoders, copies, comparisons and writers are made from its description, so that no
 * other code knows which types there are.
 */
@NullMarked
package dev.informer.client.type;

import org.jspecify.annotations.NullMarked;
