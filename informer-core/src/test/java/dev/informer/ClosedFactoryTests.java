/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the discovery of resources by a factory that is closed.
 */
@Timeout(120)
class ClosedFactoryTests {

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final InformerFactory informers = InformerFactory
		.create(new ApiClient().setBasePath("http://127.0.0.1:" + this.server.getLocalPort()));

	ClosedFactoryTests() throws IOException {
	}

	@AfterEach
	void close() throws IOException {
		this.informers.close();
		this.server.close();
	}

	@Test
	void discover_afterClose_isRefused() {
		this.informers.close();
		assertThatIllegalStateException().isThrownBy(() -> this.informers.discover(V1ConfigMap.class, "configmaps.v1."))
			.withMessageContaining("the factory is closed");
	}

	@Test
	void discover_whileFactoryCloses_fails() throws Exception {
		CompletableFuture<Throwable> discovery = CompletableFuture
			.supplyAsync(() -> this.informers.discover(V1ConfigMap.class, "configmaps.v1.example.com"))
			.handle((found, failure) -> failure.getCause());
		try (Socket unanswered = this.server.accept()) {
			InputStream request = unanswered.getInputStream();
			assertThat(request.read()).as("begin of the request").isPositive();
			this.informers.close();
			assertThat(discovery.get()).isInstanceOf(IllegalStateException.class);
			awaitEnd(request);
		}
	}

	private static void awaitEnd(InputStream request) throws IOException {
		try {
			request.readAllBytes();
		}
		catch (SocketException ex) {
			// a reset ends the connection as well
		}
	}

}
