/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Embedded Kubernetes API server that speaks the real protocol over HTTP, for tests and
 * for development without a cluster.
 */
@NullMarked
package dev.informer.test;

import org.jspecify.annotations.NullMarked;
