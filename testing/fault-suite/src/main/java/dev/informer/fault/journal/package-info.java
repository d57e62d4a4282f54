/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Journals of handlers, and the oracle that judges those of informers.
 */
@NullMarked
package dev.informer.fault.journal;

import org.jspecify.annotations.NullMarked;
