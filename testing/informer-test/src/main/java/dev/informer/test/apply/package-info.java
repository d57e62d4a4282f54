/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Owners of fields: what a writer may change, and server-side apply. Internal: for the
 * packages of this module.
 */
@NullMarked
package dev.informer.test.apply;

import org.jspecify.annotations.NullMarked;
