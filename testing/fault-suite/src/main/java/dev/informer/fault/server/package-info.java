/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * API servers, their objects and the changes of the objects.
 */
@NullMarked
package dev.informer.fault.server;

import org.jspecify.annotations.NullMarked;
