/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the application, and its start on an embedded API server.
 */
@NullMarked
package com.example.rollouts;

import org.jspecify.annotations.NullMarked;
