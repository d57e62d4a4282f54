/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * An API server that was found.
 *
 * @param origin where it was found, for the log
 * @param namespace the namespace that goes with it; {@code null} when there is none
 * @param client builds the client
 */
record Cluster(String origin, @Nullable String namespace, Client client) {

	/**
	 * Builds a client.
	 */
	interface Client {

		ApiClient build() throws IOException;

	}

}
