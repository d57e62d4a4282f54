/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Support for tests of applications with informers.
 */
@NullMarked
package dev.informer.spring.boot.test;

import org.jspecify.annotations.NullMarked;
