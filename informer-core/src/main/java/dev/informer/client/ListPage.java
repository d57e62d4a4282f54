/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * The metadata of one page of a list.
 *
 * @param resourceVersion the version of the collection that the page shows
 * @param continueToken asks for the next page; {@code null} on the last one
 */
public record ListPage(String resourceVersion, @Nullable String continueToken) {
}
