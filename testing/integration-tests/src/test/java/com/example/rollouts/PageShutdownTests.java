/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the shutdown with connected browsers.
 */
class PageShutdownTests {

	private static final PageEvent LONG = new PageEvent("pod",
			new PodSummary("shop", "x".repeat(100_000), null, PodSummary.State.PENDING, "Pending"));

	private final ConfigurableApplicationContext context = new SpringApplicationBuilder(RolloutsApplication.class,
			Cluster.class)
		.run("--server.port=0");

	private final Browsers browsers = this.context.getBean(Browsers.class);

	private final int port = this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void browsers_areDisconnectedAndDoNotDelayShutdown() {
		try (EventStream stream = EventStream.open(HttpClient.newHttpClient(), "http://localhost:" + this.port)) {
			await().untilAsserted(() -> assertThat(stream.names()).contains("snapshot"));
			assertThat(shutdownTime()).isLessThan(Duration.ofSeconds(15));
			assertThat(stream.response()).succeedsWithin(Duration.ofSeconds(15));
		}
	}

	@Test
	void disconnectedBrowser_doesNotDelayShutdown() {
		try (EventStream stream = EventStream.open(HttpClient.newHttpClient(), "http://localhost:" + this.port)) {
			await().untilAsserted(() -> assertThat(stream.names()).contains("snapshot"));
		}
		await().until(() -> {
			this.browsers.send(LONG);
			return this.browsers.count() == 0;
		});
		assertThat(shutdownTime()).isLessThan(Duration.ofSeconds(15));
	}

	@Test
	void browserThatStopsReading_delaysShutdownByConnectionTimeoutOnly() throws IOException {
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(4_096);
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
			socket.getOutputStream()
				.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			await().until(() -> this.browsers.count() == 1);
			await().pollInterval(Duration.ofMillis(1)).during(Duration.ofMillis(500)).until(() -> {
				this.browsers.send(LONG);
				return isWaitingForTheBrowser();
			});
			assertThat(shutdownTime()).isLessThan(Duration.ofSeconds(15));
		}
	}

	private static boolean isWaitingForTheBrowser() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.anyMatch((thread) -> thread.getKey().getName().startsWith("browser-")
					&& thread.getKey().getState() == Thread.State.TIMED_WAITING && Arrays.stream(thread.getValue())
						.anyMatch((frame) -> frame.getClassName().startsWith("org.apache.tomcat.util.net.")));
	}

	private Duration shutdownTime() {
		long started = System.nanoTime();
		this.context.close();
		return Duration.ofNanos(System.nanoTime() - started);
	}

	@AutoConfigureEmbeddedKubernetes
	static class Cluster {

	}

}
