/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.client.connection.ClusterConnection;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;

/**
 * Connection without informers, from the documentation of the core.
 */
final class ConnectionWithoutSpring {

	private ConnectionWithoutSpring() {
	}

	static void list() throws ApiException {
		try (ClusterConnection connection = ClusterConnection.create((settings) -> settings.context("staging"))) {
			CoreV1Api core = new CoreV1Api(connection.apiClient());
			core.listNamespacedPod(connection.namespace()).execute();
		}
	}

}
