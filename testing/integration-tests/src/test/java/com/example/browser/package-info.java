/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A headless browser for tests.
 */
@NullMarked
package com.example.browser;

import org.jspecify.annotations.NullMarked;
