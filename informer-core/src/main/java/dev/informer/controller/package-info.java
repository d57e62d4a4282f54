/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Informers: wiring and lifecycle of reflectors, queue, store and handlers, and the loop
 * that processes the queue.
 */
@NullMarked
package dev.informer.controller;

import org.jspecify.annotations.NullMarked;
