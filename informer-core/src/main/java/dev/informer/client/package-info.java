/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Where objects come from: lists and watches of one resource at the API server, and the
 * one implementation of them on the official client's
 * {@link io.kubernetes.client.openapi.ApiClient}.
 */
@NullMarked
package dev.informer.client;

import org.jspecify.annotations.NullMarked;
