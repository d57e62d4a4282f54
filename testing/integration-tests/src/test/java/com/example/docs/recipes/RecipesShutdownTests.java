/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the end of the application of the recipes.
 */
@ExtendWith(OutputCaptureExtension.class)
class RecipesShutdownTests {

	@Test
	void connectedBrowsers_doNotDelayTheShutdown(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run()) {
			CompletableFuture<HttpResponse<Stream<String>>> events = connect(context, "/pod-events");
			CompletableFuture<HttpResponse<Stream<String>>> names = connect(context, "/pod-names");
			EmbeddedKubernetes kubernetes = context.getBean(EmbeddedKubernetes.class);
			// the headers are sent with the first event
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata",
						Map.of("namespace", "default", "name", "sent-" + System.nanoTime())));
				assertThat(events).isDone();
				assertThat(names).isDone();
			});
		}
		assertThat(output).contains("Graceful shutdown complete").doesNotContain("Graceful shutdown aborted");
	}

	private static ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(RecipesApplication.class, EmbeddedServer.class)
			.initializers(new RecipesTests.PropertiesOfThePage())
			.properties("NODE_NAME=node-1", "server.port=0", "spring.lifecycle.timeout-per-shutdown-phase=5s",
					"logging.level.org.springframework.boot.tomcat=info")
			.run();
	}

	private static CompletableFuture<HttpResponse<Stream<String>>> connect(ConfigurableApplicationContext context,
			String path) {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
		return HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofLines());
	}

	@AutoConfigureEmbeddedKubernetes
	static class EmbeddedServer {

	}

}
