/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the controller, and its start on an embedded API server.
 */
@NullMarked
package com.example.webapps;

import org.jspecify.annotations.NullMarked;
