/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An application with a leader-only handler.
 */
@NullMarked
package com.example.docs.leader;

import org.jspecify.annotations.NullMarked;
