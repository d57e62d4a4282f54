/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * For tests of applications with informers. Needs {@code informer-test}.
 */
@NullMarked
package dev.informer.spring.test;

import org.jspecify.annotations.NullMarked;
