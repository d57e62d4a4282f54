/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Coordination of the replicas of an application: leader election and division of
 * objects.
 */
@NullMarked
package dev.informer.replicas;

import org.jspecify.annotations.NullMarked;
