/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Code of the documentation. A test finds each documented block here, so that it is
 * compiled.
 */
@NullMarked
package com.example.docs;

import org.jspecify.annotations.NullMarked;
