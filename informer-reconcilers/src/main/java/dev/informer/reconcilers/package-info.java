/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Writes to the API server for applications that act on what their informers show.
 */
@NullMarked
package dev.informer.reconcilers;

import org.jspecify.annotations.NullMarked;
