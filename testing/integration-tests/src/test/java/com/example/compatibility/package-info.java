/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Compatibility of the published classes with older versions of their libraries.
 */
@NullMarked
package com.example.compatibility;

import org.jspecify.annotations.NullMarked;
