/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What an application needs to know of its informers when it was built ahead of time.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
