/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Reconcilers, which make the cluster what their primary objects describe.
 */
@NullMarked
package dev.informer.reconcilers;

import org.jspecify.annotations.NullMarked;
