/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the sample controller on a real cluster.
 */
@NullMarked
package com.example.webapps;

import org.jspecify.annotations.NullMarked;
