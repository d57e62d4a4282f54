/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the sample application that its readers need not copy: the page in a browser,
 * the packaged jar, manifests, observability files and real clusters.
 */
@NullMarked
package com.example.rollouts;

import org.jspecify.annotations.NullMarked;
