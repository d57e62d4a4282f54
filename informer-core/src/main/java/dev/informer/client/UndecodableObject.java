/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * What is known of an object whose JSON is well-formed but does not fit the model.
 *
 * @param namespace its namespace; {@code null} when there is none or it could not be read
 * @param name its name; {@code null} when it could not be read
 * @param uid its UID; {@code null} when it could not be read
 * @param resourceVersion its resource version; {@code null} when it could not be read
 * @param reason what does not fit, with the path to it; never the value found there
 */
public record UndecodableObject(@Nullable String namespace, @Nullable String name, @Nullable String uid,
		@Nullable String resourceVersion, String reason) {
}
