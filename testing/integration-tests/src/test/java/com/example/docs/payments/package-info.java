/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Handler of the documentation with a filter and selected changes, and its test.
 */
@NullMarked
package com.example.docs.payments;

import org.jspecify.annotations.NullMarked;
