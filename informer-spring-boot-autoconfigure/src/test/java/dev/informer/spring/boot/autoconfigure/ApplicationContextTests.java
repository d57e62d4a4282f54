/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers and handlers in contexts that are lazy, paused, started again, or
 * parents of others.
 */
class ApplicationContextTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@BeforeEach
	void createObjects() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		configMap("one");
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
		awaitNoThread();
	}

	@Test
	void lazyInitialization_invokesHandlersOfUnusedBeans() {
		try (ConfigurableApplicationContext context = application(Handling.class)
			.run("--spring.main.lazy-initialization=true")) {
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.seen).containsExactly("ADDED one"));
		}
	}

	@Test
	void pausedContext_resumesDelivery() {
		try (ConfigurableApplicationContext context = application(Handling.class).run()) {
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.seen).containsExactly("ADDED one"));
			context.pause();
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isFalse();
			awaitNoThread();
			configMap("two");
			context.restart();
			await().untilAsserted(() -> assertThat(recorder.seen).containsExactly("ADDED one", "ADDED two"));
		}
	}

	@Test
	void stoppedContext_restarts() {
		try (ConfigurableApplicationContext context = application(Handling.class).run()) {
			context.stop();
			configMap("two");
			context.start();
			await().untilAsserted(
					() -> assertThat(context.getBean(Recorder.class).seen).containsOnlyOnce("ADDED one", "ADDED two"));
		}
	}

	@Test
	void childContextWithoutAutoConfiguration_readsTheCacheOfItsParent() {
		try (ConfigurableApplicationContext parent = application(Handling.class).run();
				ConfigurableApplicationContext child = child(parent, ChildReader.class)) {
			assertThat(child.getBean(ChildReader.class).settings).isSameAs(parent.getBean("configmapsLister"));
			assertThat(child.getBean(InformerRegistry.class)).isSameAs(parent.getBean(InformerRegistry.class));
			assertThat(child.getBean(ChildReader.class).settings.list()).hasSize(1);
		}
	}

	@Test
	void childContextWithAutoConfiguration_hasItsOwnInformersAndHandlers() {
		try (ConfigurableApplicationContext parent = application(Handling.class).run()) {
			InformerRegistry registry = parent.getBean(InformerRegistry.class);
			try (ConfigurableApplicationContext child = child(parent, ChildHandling.class)) {
				InformerRegistry ofChild = child.getBean(InformerRegistry.class);
				await().untilAsserted(
						() -> assertThat(child.getBean(ChildRecorder.class).seen).containsExactly("child one"));
				assertThat(ofChild).isNotSameAs(registry);
				assertThat(ofChild.handlerIds()).containsExactly("childRecorder.handle");
				assertThat(ofChild.informers()).extracting(SharedIndexInformer::name).containsExactly("configmaps");
				assertThat(parent.getBean(Listening.class).informers).containsExactly("configmaps");
			}
			assertThat(registry.isRunning()).isTrue();
			assertThat(registry.informers()).singleElement()
				.satisfies((informer) -> assertThat(informer.handlers()).hasSize(1));
		}
	}

	private SpringApplicationBuilder application(Class<?> configuration) {
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("informer.connection.url=" + this.kubernetes.url());
	}

	private ConfigurableApplicationContext child(ConfigurableApplicationContext parent, Class<?> configuration,
			String... arguments) {
		return application(configuration).parent(parent).run(arguments);
	}

	private void configMap(String name) {
		this.kubernetes.create(TestObjects.configMap("shop", name));
	}

	private static void awaitNoThread() {
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("informer-")));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class })
	@Import({ Recorder.class, Listening.class })
	static class Handling {

	}

	static class Recorder {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@InformerHandler
		void handle(ResourceEvent<V1ConfigMap> event) {
			this.seen.add(event.type() + " " + event.object().getMetadata().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class })
	@Import(ChildRecorder.class)
	static class ChildHandling {

	}

	static class ChildRecorder {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "childRecorder.handle")
		void handle(V1ConfigMap settings) {
			this.seen.add("child " + settings.getMetadata().getName());
		}

	}

	static class ChildReader {

		final Lister<V1ConfigMap> settings;

		ChildReader(Lister<V1ConfigMap> settings) {
			this.settings = settings;
		}

	}

	static class Listening implements InformerListener {

		final List<String> informers = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.Synced synced) {
				this.informers.add(synced.informer().name());
			}
		}

	}

}
