/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Search for the content of objects in logs, answers and metrics.
 */
@NullMarked
package com.example.content;

import org.jspecify.annotations.NullMarked;
