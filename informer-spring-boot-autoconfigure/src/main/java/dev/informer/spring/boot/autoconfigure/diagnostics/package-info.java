/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What to do when an application with informers does not start.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
