/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import org.jspecify.annotations.Nullable;

/**
 * What the properties say an informer looks at.
 *
 * @param resource the resource; {@code null} when not given
 * @param type the class of the objects; {@code null} when not given
 * @param metadataOnly whether the metadata of the objects is enough
 */
public record DeclaredResource(@Nullable String resource, @Nullable Class<?> type, boolean metadataOnly) {
}
