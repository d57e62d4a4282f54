/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Test slices of an application that reads a cache.
 */
@NullMarked
package com.example.slices;

import org.jspecify.annotations.NullMarked;
