/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;
import java.io.StringReader;

import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/**
 * Tests for applies with an owner on a real API server.
 */
@RealKubernetes
@Timeout(240)
class RealOwnershipTests extends OwnershipContract {

	private static String kubeconfig = "";

	@BeforeAll
	static void use(RealServer server) {
		kubeconfig = server.kubeconfig();
	}

	@Override
	ApiClient newClient() throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig))).build();
	}

}
