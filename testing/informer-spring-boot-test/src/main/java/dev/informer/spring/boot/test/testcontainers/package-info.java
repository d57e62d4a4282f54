/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Testcontainers support for connections to a cluster.
 */
@NullMarked
package dev.informer.spring.boot.test.testcontainers;

import org.jspecify.annotations.NullMarked;
