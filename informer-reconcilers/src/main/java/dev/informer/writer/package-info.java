/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Writes to the API server, which send nothing that changes nothing.
 */
@NullMarked
package dev.informer.writer;

import org.jspecify.annotations.NullMarked;
