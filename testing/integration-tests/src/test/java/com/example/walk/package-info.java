/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The project of the page "Getting started".
 */
@NullMarked
package com.example.walk;

import org.jspecify.annotations.NullMarked;
