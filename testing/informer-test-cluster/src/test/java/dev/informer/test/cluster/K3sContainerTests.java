/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.StringReader;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.util.Config;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RealKubernetes(RequiredServer.K3S_CONTAINER)
class K3sContainerTests {

	@Test
	void container_returnsVersionToOfficialClient(RealServer server) throws Exception {
		ApiClient client = Config.fromConfig(new StringReader(server.kubeconfig()));
		assertThat(client.getBasePath()).isEqualTo(server.url().toString());
		String version = new VersionApi(client).getCode().execute().getGitVersion();
		assertThat(server.version()).startsWith(version.replace("+", "-"));
		assertThat(server.controlPlane()).isEmpty();
		client.getHttpClient().connectionPool().evictAll();
		client.getHttpClient().dispatcher().executorService().shutdown();
	}

}
