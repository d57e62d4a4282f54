/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Informers that tests control.
 */
@NullMarked
package dev.informer.spring.support;

import org.jspecify.annotations.NullMarked;
