/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Threads of handlers and of reconcilers, what belongs to an invocation on them, and what
 * orders the threads of an informer.
 */
@NullMarked
package dev.informer.work;

import org.jspecify.annotations.NullMarked;
