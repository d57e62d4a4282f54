/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.StringReader;
import java.net.SocketTimeoutException;
import java.util.List;

import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.Protocol;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a real API server that is frozen: its connections stay open, and new ones are
 * accepted, but nothing is answered.
 */
@Timeout(120)
class FrozenServerTests {

	/** A second of a limit lasts 50 ms. */
	private static final double SCALE = 0.05;

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "HTTP_2", "HTTP_1_1" })
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void frozenServer_endsRequestsAndIsUsedAgainAfterwards(Protocol protocol, RealServer server) throws Exception {
		ControlPlane controlPlane = server.requireControlPlane();
		try (KubernetesConnection connection = new KubernetesConnection(client(server, protocol), SCALE)) {
			RequestKind.LIST.send(connection);
			WatchStream<V1ConfigMap> watch = RequestKind.watch(connection);
			controlPlane.suspendApiServer();
			try {
				if (protocol == Protocol.HTTP_2) {
					assertThatExceptionOfType(IOException.class).isThrownBy(watch::next);
				}
				for (RequestKind kind : List.of(RequestKind.LIST, RequestKind.WATCH, RequestKind.WATCH)) {
					assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> kind.send(connection));
				}
			}
			finally {
				controlPlane.resumeApiServer();
			}
			RequestKind.LIST.send(connection);
			RequestKind.watch(connection).close();
			watch.close();
		}
	}

	private static ApiClient client(RealServer server, Protocol protocol) throws IOException {
		ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig())))
			.build();
		List<Protocol> protocols = (protocol == Protocol.HTTP_2) ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
				: List.of(Protocol.HTTP_1_1);
		return client.setHttpClient(client.getHttpClient().newBuilder().protocols(protocols).build());
	}

}
