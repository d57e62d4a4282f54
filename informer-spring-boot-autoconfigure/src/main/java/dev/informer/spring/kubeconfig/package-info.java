/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Kubeconfig files: reading, merging and validation.
 */
@NullMarked
package dev.informer.spring.kubeconfig;

import org.jspecify.annotations.NullMarked;
