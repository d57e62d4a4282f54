/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Connection to an API server.
 *
 * @param origin the location of the configuration, for logs
 * @param namespace the namespace of the connection; {@code null} for none
 * @param client the builder of the client
 */
record Cluster(String origin, @Nullable String namespace, Client client) {

	/**
	 * Builder of the client.
	 */
	interface Client {

		ApiClient build() throws IOException;

	}

}
