/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the rights of applications.
 */
@NullMarked
package com.example.rights;

import org.jspecify.annotations.NullMarked;
