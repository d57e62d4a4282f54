/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the application, and the same on an embedded cluster to try it out.
 */
@NullMarked
package com.example.rollouts;

import org.jspecify.annotations.NullMarked;
