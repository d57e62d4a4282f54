/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Events of Kubernetes about objects.
 */
@NullMarked
package dev.informer.recorder;

import org.jspecify.annotations.NullMarked;
