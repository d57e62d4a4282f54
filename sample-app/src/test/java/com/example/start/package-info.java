/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Measures what the starter adds to the start of an application.
 */
@NullMarked
package com.example.start;

import org.jspecify.annotations.NullMarked;
