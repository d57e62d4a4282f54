/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Failure analyzers for applications with informers that fail to start.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
