/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Support for the tests of all modules of this build. Independent of the other modules,
 * so that each of them can use it.
 */
@NullMarked
package dev.informer.test.support;

import org.jspecify.annotations.NullMarked;
