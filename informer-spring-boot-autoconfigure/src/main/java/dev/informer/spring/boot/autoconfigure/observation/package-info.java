/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Auto-configuration for observations of handler invocations.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
