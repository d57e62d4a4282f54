/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Writes down what handlers are told, checks that it fits together, and compares it with
 * what the server says.
 */
@NullMarked
package com.example.journal;

import org.jspecify.annotations.NullMarked;
