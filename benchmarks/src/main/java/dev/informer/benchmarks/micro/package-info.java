/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Measures parts of the informers by themselves, with JMH.
 */
@NullMarked
package dev.informer.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
