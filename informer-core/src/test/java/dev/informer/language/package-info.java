/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests for the language of sources and documentation.
 */
@org.jspecify.annotations.NullMarked
package dev.informer.language;
