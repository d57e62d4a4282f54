/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the documentation.
 */
@NullMarked
package com.example.docs.testing;

import org.jspecify.annotations.NullMarked;
