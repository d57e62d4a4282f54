/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What users put on their methods.
 */
@NullMarked
package dev.informer.spring.annotation;

import org.jspecify.annotations.NullMarked;
