/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Micrometer observations of handler invocations.
 */
@NullMarked
package dev.informer.spring.observation;

import org.jspecify.annotations.NullMarked;
