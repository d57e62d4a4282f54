/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * HTTP server: connections, requests, responses and watches. Internal: for the packages
 * of this module.
 */
@NullMarked
package dev.informer.test.http;

import org.jspecify.annotations.NullMarked;
