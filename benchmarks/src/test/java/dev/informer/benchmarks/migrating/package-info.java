/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Informers of other clients, as the documentation shows them beside this project's. They
 * are only compiled.
 */
@NullMarked
package dev.informer.benchmarks.migrating;

import org.jspecify.annotations.NullMarked;
