/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Clients that keep a cache and a journal, each in a separate process.
 */
@NullMarked
package dev.informer.fault.client;

import org.jspecify.annotations.NullMarked;
