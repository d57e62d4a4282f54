/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Actuator endpoints of informers.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
