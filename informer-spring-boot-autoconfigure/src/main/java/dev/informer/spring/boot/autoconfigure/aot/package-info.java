/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Runtime hints for ahead-of-time processed applications with informers.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
