/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Connections to containers.
 */
@NullMarked
package dev.informer.spring.testcontainers;

import org.jspecify.annotations.NullMarked;
