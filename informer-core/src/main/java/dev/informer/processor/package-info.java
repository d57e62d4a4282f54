/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distribution of events to handlers: queues, threads, retries and the sync of each
 * handler.
 */
@NullMarked
package dev.informer.processor;

import org.jspecify.annotations.NullMarked;
