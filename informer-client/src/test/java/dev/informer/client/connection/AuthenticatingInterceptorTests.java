/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.test.support.HostileServer;
import dev.informer.testing.CapturedLog;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AuthenticatingInterceptor}: credentials without TLS, and redirects.
 */
class AuthenticatingInterceptorTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	@Test
	void credentialsWithoutEncryption_areReportedOnce() throws Exception {
		try (HostileServer server = new HostileServer(
				(request) -> HostileServer.response(200, "application/json", "{\"items\":[]}"))) {
			CoreV1Api api = new CoreV1Api(client(server, "secret-token"));
			api.listNamespace().execute();
			api.listNamespace().execute();
			assertThat(this.log.text()
				.split("Sending credentials without encryption to the Kubernetes API server at " + "host 127.0.0.1",
						-1))
				.hasSize(2);
			assertThat(this.log.text()).doesNotContain("secret-token");
		}
	}

	@Test
	void anonymousRequestsWithoutEncryption_areNotReported() throws Exception {
		try (HostileServer server = new HostileServer(
				(request) -> HostileServer.response(200, "application/json", "{\"items\":[]}"))) {
			new CoreV1Api(client(server, null)).listNamespace().execute();
			assertThat(this.log.text()).doesNotContain("without encryption");
		}
	}

	@Test
	void redirect_isNotFollowed() throws Exception {
		AtomicInteger port = new AtomicInteger();
		try (HostileServer other = new HostileServer(
				(request) -> HostileServer.response(200, "application/json", "{\"items\":[]}"));
				HostileServer server = new HostileServer((request) -> "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:"
						+ port + "/\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")) {
			port.set(other.port());
			CoreV1Api api = new CoreV1Api(client(server, "secret-token"));
			assertThatExceptionOfType(ApiException.class).isThrownBy(() -> api.listNamespace().execute())
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(307));
			assertThat(other.requests()).isEmpty();
		}
	}

	private static ApiClient client(HostileServer server, @Nullable String token) {
		ServerDetails details = new ServerDetails() {

			@Override
			public String getUrl() {
				return server.url();
			}

			@Override
			public @Nullable String getToken() {
				return token;
			}

		};
		return ClusterConnection.create((settings) -> settings.server(details)).apiClient();
	}

}
