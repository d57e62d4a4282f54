/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Application that records delivered events, checks their order and compares the result
 * with the server.
 */
@NullMarked
package com.example.journal;

import org.jspecify.annotations.NullMarked;
