/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the application is told about its informers by application events.
 */
@NullMarked
package dev.informer.spring.event;

import org.jspecify.annotations.NullMarked;
