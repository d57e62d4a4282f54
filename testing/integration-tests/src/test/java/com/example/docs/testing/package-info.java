/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of an application, as the documentation shows them.
 */
@NullMarked
package com.example.docs.testing;

import org.jspecify.annotations.NullMarked;
