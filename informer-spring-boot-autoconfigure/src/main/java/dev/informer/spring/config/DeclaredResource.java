/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import org.jspecify.annotations.Nullable;

/**
 * Properties of an informer that determine its resource, {@code null} where not set.
 */
public record DeclaredResource(@Nullable String resource, @Nullable Class<?> type, boolean metadataOnly) {

	/**
	 * No such property, so that the name of the informer determines its resource.
	 */
	public static final DeclaredResource NONE = new DeclaredResource(null, null, false);

}
