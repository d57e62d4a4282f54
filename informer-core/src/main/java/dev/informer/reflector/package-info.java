/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Lists and watches a resource, and retries after failures.
 */
@NullMarked
package dev.informer.reflector;

import org.jspecify.annotations.NullMarked;
