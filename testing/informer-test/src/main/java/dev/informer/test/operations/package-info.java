/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Writes of objects: rules, defaults, namespaces, definitions of custom resources and the
 * garbage collector. Internal: for the packages of this module.
 */
@NullMarked
package dev.informer.test.operations;

import org.jspecify.annotations.NullMarked;
