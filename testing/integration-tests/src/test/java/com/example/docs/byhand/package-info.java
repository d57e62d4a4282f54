/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the newcomer's walk does without the starter, as it was run.
 */
@NullMarked
package com.example.docs.byhand;

import org.jspecify.annotations.NullMarked;
