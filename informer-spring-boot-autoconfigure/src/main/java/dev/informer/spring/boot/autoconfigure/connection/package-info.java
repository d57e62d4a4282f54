/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Auto-configuration for the connection to the API server.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.connection;

import org.jspecify.annotations.NullMarked;
