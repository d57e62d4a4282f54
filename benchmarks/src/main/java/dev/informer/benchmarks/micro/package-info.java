/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * JMH benchmarks of separate parts of the informers.
 */
@NullMarked
package dev.informer.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
