/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An embedded Kubernetes API server that speaks the real protocol over HTTP, for tests
 * and for trying things out without a cluster.
 */
@NullMarked
package dev.informer.test;

import org.jspecify.annotations.NullMarked;
