/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The informers and handlers of an application, and their lifecycle.
 */
@NullMarked
package dev.informer.spring.registry;

import org.jspecify.annotations.NullMarked;
