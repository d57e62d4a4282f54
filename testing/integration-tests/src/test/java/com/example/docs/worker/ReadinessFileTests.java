/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.worker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReadinessFile}.
 */
@Timeout(120)
class ReadinessFileTests {

	@Test
	void file_existsFromTheFirstSyncOfThisProcess(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("ready"), "");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.faults().always(Verb.LIST, "pods", Fault.status(503));
			CompletableFuture<ConfigurableApplicationContext> start = CompletableFuture
				.supplyAsync(() -> new SpringApplicationBuilder(Worker.class).web(WebApplicationType.NONE)
					.run("--informer.connection.url=" + kubernetes.url(), "--informer.resources.pods.required=true",
							"--readiness.file=" + file));
			await().until(() -> !kubernetes.requests(Verb.LIST, "pods").isEmpty());
			assertThat(file).doesNotExist();
			kubernetes.faults().clear();
			try (ConfigurableApplicationContext context = start.get()) {
				assertThat(context.getBean(InformerRegistry.class).informers()).isNotEmpty();
				assertThat(file).exists();
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(ReadinessFile.class)
	static class Worker {

	}

}
