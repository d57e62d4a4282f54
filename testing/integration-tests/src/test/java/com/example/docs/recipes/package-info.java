/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The recipes of the documentation, as one application.
 */
package com.example.docs.recipes;
