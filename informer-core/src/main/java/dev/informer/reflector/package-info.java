/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Keeps listing and watching, whatever happens.
 */
@NullMarked
package dev.informer.reflector;

import org.jspecify.annotations.NullMarked;
