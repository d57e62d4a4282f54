/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Lists and watches of one resource at the API server, and their implementation with the
 * official client's {@link io.kubernetes.client.openapi.ApiClient}.
 */
@NullMarked
package dev.informer.client;

import org.jspecify.annotations.NullMarked;
