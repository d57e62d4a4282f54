/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application of the newcomer's walk without the starter.
 */
@NullMarked
package com.example.docs.byhand;

import org.jspecify.annotations.NullMarked;
