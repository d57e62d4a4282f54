/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Metadata of one page of a list.
 *
 * @param resourceVersion the resource version of the collection
 * @param continueToken the token of the next page; {@code null} on the last page
 */
public record ListPage(String resourceVersion, @Nullable String continueToken) {
}
