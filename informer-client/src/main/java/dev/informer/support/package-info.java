/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Internal support for several packages of the core: rate-limited logging of failures,
 * and text that others wrote.
 */
@NullMarked
package dev.informer.support;

import org.jspecify.annotations.NullMarked;
