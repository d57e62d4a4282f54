/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Custom resources of public operators, with classes as users write them.
 */
package com.example.operators;
