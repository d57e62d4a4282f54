/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.Lister;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Namespace;
import jakarta.annotation.PostConstruct;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for the advice for caches that are read before their informer has synced: it,
 * followed literally, solves the problem.
 */
@ExtendWith(OutputCaptureExtension.class)
class NotSyncedAdviceTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@Test
	void readInConstructor_namesBeanAndRemedies(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run(ReadsInConstructor.class, (context) -> {
		}));
		assertAdvice(output);
	}

	@Test
	void readInInitializationMethod_namesBeanAndRemedies(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run(ReadsInInitialization.class, (context) -> {
		}));
		assertAdvice(output);
	}

	private static void assertAdvice(CapturedOutput output) {
		assertThat(output)
			.contains("The bean 'reader' reads the cache of the informer 'namespaces' while it is created")
			.contains("@EventListener(ApplicationReadyEvent.class)")
			.contains("informer.resources.namespaces.allow-unsynced-reads=true")
			.doesNotContain("Application run failed");
	}

	@Test
	void readOnApplicationReady_readsCompleteCache() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		run(ReadsWhenReady.class,
				(context) -> assertThat(context.getBean(ReadsWhenReady.class).names).contains("shop"));
	}

	@Test
	void allowUnsyncedReads_permitsReadInConstructor() {
		run(ReadsInConstructor.class, (context) -> assertThat(context.isRunning()).isTrue(),
				"--informer.resources.namespaces.allow-unsynced-reads=true");
	}

	private void run(Class<?> reader, Consumer<ConfigurableApplicationContext> test, String... arguments) {
		String[] all = Stream
			.concat(Stream.of("--informer.connection.url=" + this.kubernetes.url()), Arrays.stream(arguments))
			.toArray(String[]::new);
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.initializers((created) -> ((GenericApplicationContext) created).registerBean("reader", reader))
			.run(all)) {
			test.accept(context);
		}
	}

	@ImportAutoConfiguration({ InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class })
	static class Application {

	}

	static class ReadsInConstructor {

		ReadsInConstructor(Lister<V1Namespace> namespaces) {
			namespaces.list();
		}

	}

	static class ReadsInInitialization {

		private final Lister<V1Namespace> namespaces;

		ReadsInInitialization(Lister<V1Namespace> namespaces) {
			this.namespaces = namespaces;
		}

		@PostConstruct
		void read() {
			this.namespaces.list();
		}

	}

	static class ReadsWhenReady {

		private final Lister<V1Namespace> namespaces;

		private final List<String> names = new CopyOnWriteArrayList<>();

		ReadsWhenReady(Lister<V1Namespace> namespaces) {
			this.namespaces = namespaces;
		}

		@EventListener(ApplicationReadyEvent.class)
		void read() {
			this.namespaces.list().forEach((namespace) -> this.names.add(namespace.getMetadata().getName()));
		}

	}

}
