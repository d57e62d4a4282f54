/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Proxy that injects the faults of a network.
 */
@NullMarked
package dev.informer.fault.proxy;

import org.jspecify.annotations.NullMarked;
