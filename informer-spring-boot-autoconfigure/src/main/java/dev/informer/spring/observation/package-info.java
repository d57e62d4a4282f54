/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Calls of handlers as Micrometer observations.
 */
@NullMarked
package dev.informer.spring.observation;

import org.jspecify.annotations.NullMarked;
