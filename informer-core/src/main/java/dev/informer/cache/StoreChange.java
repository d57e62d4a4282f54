/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import org.jspecify.annotations.Nullable;

/**
 * The change of one key in an {@link Indexer}.
 *
 * @param <T> the type of the objects
 * @param key the key
 * @param object what is stored under it from now on; {@code null} for nothing
 */
public record StoreChange<T>(String key, @Nullable T object) {
}
