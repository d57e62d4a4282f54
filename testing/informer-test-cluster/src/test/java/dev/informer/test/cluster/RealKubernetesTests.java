/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RealKubernetes(RequiredServer.CONTROL_PLANE)
class RealKubernetesTests {

	private static RealServer shared;

	@BeforeAll
	static void remember(RealServer server) {
		shared = server;
	}

	@Test
	void sharedServer_isSameForAllTests(RealServer server) {
		assertThat(server).isSameAs(shared);
		assertThat(server.kubeconfig()).contains(server.url().toString(), server.requireControlPlane().adminToken());
		assertThat(server).asString().contains(server.version()).doesNotContain("token");
	}

	@Nested
	@RealKubernetes(apiServerFlags = "feature-gates=WatchList=false")
	class WithFlags {

		@Test
		void serverWithFlags_isSeparateAndUsesThem(RealServer server) throws IOException {
			assertThat(server.url()).isNotEqualTo(shared.url());
			assertThat(server.requireControlPlane().connection().get("/metrics").expectSuccess())
				.containsPattern("kubernetes_feature_enabled\\{name=\"WatchList\",.*} 0");
		}

	}

}
