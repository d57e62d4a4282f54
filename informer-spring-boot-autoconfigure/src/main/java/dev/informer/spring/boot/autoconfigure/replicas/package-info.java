/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Auto-configuration of leader elections and of the division of objects between replicas.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.replicas;

import org.jspecify.annotations.NullMarked;
