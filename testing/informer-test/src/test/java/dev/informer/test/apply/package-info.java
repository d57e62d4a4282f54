/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

@NullMarked
package dev.informer.test.apply;

import org.jspecify.annotations.NullMarked;
