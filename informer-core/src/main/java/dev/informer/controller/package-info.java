/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Ties reflectors, queue, store and processor together into informers.
 */
@NullMarked
package dev.informer.controller;

import org.jspecify.annotations.NullMarked;
