/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Requirements of informers and the tests that verify them.
 */
@org.jspecify.annotations.NullMarked
package dev.informer.conformance;
