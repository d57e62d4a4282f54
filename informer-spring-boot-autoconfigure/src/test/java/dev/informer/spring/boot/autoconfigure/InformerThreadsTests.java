/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the kind of the threads of informers.
 */
class InformerThreadsTests {

	private static final String NAME = "informer-namespaces-handler-recorder.handle";

	@Test
	void threads_arePlatformThreadsByDefault() {
		run("false", (context) -> {
			assertThat(context.getBean(Recorder.class).threads).containsOnly(NAME);
			assertThat(platformThreads()).contains(NAME, "informer-namespaces-reflector", "informer-namespaces-store");
		});
	}

	@Test
	void threads_areVirtualIfEnabled() {
		boolean available = Runtime.version().feature() >= 21;
		run("true", (context) -> {
			assertThat(context.getBean(Recorder.class).threads).containsOnly(NAME);
			assertThat(platformThreads()).filteredOn((name) -> name.startsWith("informer-namespaces"))
				.hasSize(available ? 0 : 3);
		});
	}

	private static void run(String virtual, ContextConsumer<ApplicationContext> consumer) {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
						KubernetesConnectionAutoConfiguration.class))
				.withPropertyValues("informer.connection.url=" + kubernetes.url(),
						"spring.threads.virtual.enabled=" + virtual)
				.withBean("recorder", Recorder.class)
				.run((context) -> {
					await().until(() -> !context.getBean(Recorder.class).threads.isEmpty());
					consumer.accept(context);
				});
		}
	}

	/**
	 * The names of all threads but virtual ones.
	 */
	private static Iterable<String> platformThreads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
	}

	static class Recorder {

		private final Queue<String> threads = new ConcurrentLinkedQueue<>();

		@InformerHandler
		void handle(V1Namespace namespace) {
			this.threads.add(Thread.currentThread().getName());
		}

	}

}
