/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tells the handlers.
 */
@NullMarked
package dev.informer.processor;

import org.jspecify.annotations.NullMarked;
