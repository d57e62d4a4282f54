/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Auto-configuration of informers, their handlers and their lifecycle.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
