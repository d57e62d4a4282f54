/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Threads of handlers and of reconcilers, and what belongs to an invocation on them.
 */
@NullMarked
package dev.informer.work;

import org.jspecify.annotations.NullMarked;
