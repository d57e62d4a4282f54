/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The local copy of a resource.
 */
@NullMarked
package dev.informer.cache;

import org.jspecify.annotations.NullMarked;
