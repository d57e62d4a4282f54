/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Connection to an API server.
 *
 * @param origin the location of the configuration, for logs
 * @param namespace the namespace of the connection; {@code null} for none
 * @param settings the source of the settings
 */
record Cluster(String origin, @Nullable String namespace, Supplier<ConnectionSettings> settings) {

}
