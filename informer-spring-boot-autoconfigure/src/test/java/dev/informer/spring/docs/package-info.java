/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Holds the documentation to the truth.
 */
@NullMarked
package dev.informer.spring.docs;

import org.jspecify.annotations.NullMarked;
