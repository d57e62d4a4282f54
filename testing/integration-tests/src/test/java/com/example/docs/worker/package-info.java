/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An application without a web server.
 */
@NullMarked
package com.example.docs.worker;

import org.jspecify.annotations.NullMarked;
