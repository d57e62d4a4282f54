/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Which API server an application talks to, and how.
 */
@NullMarked
package dev.informer.spring.connection;

import org.jspecify.annotations.NullMarked;
