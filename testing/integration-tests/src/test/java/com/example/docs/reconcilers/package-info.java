/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Code of the page about controllers.
 */
@NullMarked
package com.example.docs.reconcilers;

import org.jspecify.annotations.NullMarked;
