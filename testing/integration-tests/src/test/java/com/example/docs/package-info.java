/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The code that the documentation shows, so that it is compiled: a test looks for each
 * piece of it here.
 */
@NullMarked
package com.example.docs;

import org.jspecify.annotations.NullMarked;
