/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Measurement of the start time that the starter adds to an application.
 */
@NullMarked
package com.example.start;

import org.jspecify.annotations.NullMarked;
