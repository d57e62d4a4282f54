/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
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
 * ancestors of others.
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
	void childContext_usesParentInformersAndLeavesThemRunning() {
		try (ConfigurableApplicationContext parent = application(Handling.class).run()) {
			InformerRegistry registry = parent.getBean(InformerRegistry.class);
			try (ConfigurableApplicationContext child = child(parent, ChildHandling.class)) {
				ChildRecorder recorder = child.getBean(ChildRecorder.class);
				assertThat(recorder.settings).isSameAs(parent.getBean("configmapsLister"));
				await()
					.untilAsserted(() -> assertThat(recorder.seen).containsExactlyInAnyOrder("child one", "named one"));
				InformerRegistry ofChild = child.getBean(InformerRegistry.class);
				assertThat(ofChild).isNotSameAs(registry);
				assertThat(ofChild.informers()).isEmpty();
				assertThat(ofChild.handlerIds()).containsExactly("childRecorder.handle", "named");
				assertThat(registry.informers().get(0).handlers()).hasSize(3);
			}
			assertThat(registry.isRunning()).isTrue();
			assertThat(registry.informers()).singleElement().satisfies((informer) -> {
				assertThat(informer.handlers()).hasSize(1);
				// a handler may be invoked before the watch is open
				await().until(() -> informer.state().phase() == InformerState.Phase.WATCHING);
			});
			assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).hasSize(1);
			configMap("two");
			await().untilAsserted(() -> assertThat(parent.getBean(Recorder.class).seen).contains("ADDED two"));
		}
	}

	@Test
	void closedChildContext_isCollectable() {
		try (ConfigurableApplicationContext parent = application(Handling.class).run()) {
			WeakReference<Object> recorder = closedChild(parent);
			// An event after the removal, so that nothing keeps only the last one
			configMap("two");
			await().untilAsserted(() -> assertThat(parent.getBean(Recorder.class).seen).contains("ADDED two"));
			await().until(() -> {
				System.gc();
				return recorder.refersTo(null);
			});
		}
	}

	private WeakReference<Object> closedChild(ConfigurableApplicationContext parent) {
		try (ConfigurableApplicationContext child = child(parent, ChildHandling.class)) {
			ChildRecorder recorder = child.getBean(ChildRecorder.class);
			await().untilAsserted(() -> assertThat(recorder.seen).hasSize(2));
			return new WeakReference<>(recorder);
		}
	}

	@Test
	void stoppedChildContext_pausesItsHandlersOfParentInformers() {
		try (ConfigurableApplicationContext parent = application(Handling.class).run();
				ConfigurableApplicationContext child = child(parent, ChildHandling.class,
						"--informer.auto-startup=false")) {
			List<String> seen = child.getBean(ChildRecorder.class).seen;
			InformerRegistry registry = child.getBean(InformerRegistry.class);
			registry.start();
			await().untilAsserted(() -> assertThat(seen).contains("child one", "named one"));
			registry.stop();
			assertThat(registry.handler("named").isPaused()).isTrue();
			configMap("two");
			await().untilAsserted(() -> assertThat(parent.getBean(Recorder.class).seen).contains("ADDED two"));
			assertThat(seen).doesNotContain("child two", "named two");
			registry.start();
			await().untilAsserted(() -> assertThat(seen).contains("child two", "named two"));
		}
	}

	@Test
	void childContextThatIsNotStarted_isNeverInvokedBeforeItsStart() {
		try (ConfigurableApplicationContext parent = application(Handling.class).run();
				ConfigurableApplicationContext child = child(parent, ChildHandling.class,
						"--informer.auto-startup=false")) {
			InformerRegistry registry = child.getBean(InformerRegistry.class);
			List<String> seen = child.getBean(ChildRecorder.class).seen;
			await().until(() -> registry.handler("named").pending() > 0);
			assertThat(registry.handler("named").isPaused()).isTrue();
			assertThat(seen).isEmpty();
			registry.start();
			await().untilAsserted(() -> assertThat(seen).contains("child one", "named one"));
		}
	}

	@Test
	void childContext_addsInformersWithParentProperties() {
		try (ConfigurableApplicationContext parent = application(ParentOfNamed.class)
			.run("--informer.resources.webmaps.resource=configmaps", "--informer.resources.webmaps.label-selector=a=b");
				ConfigurableApplicationContext child = child(parent, Handling.class,
						"--informer.resources.webmaps.resource=configmaps",
						"--informer.resources.webmaps.label-selector=a=b")) {
			await().untilAsserted(() -> assertThat(child.getBean(Recorder.class).seen).containsExactly("ADDED one"));
			assertThat(child.getBean(InformerRegistry.class).informers()).extracting(SharedIndexInformer::name)
				.containsExactly("configmaps");
			assertThat(parent.getBean(InformerRegistry.class).informers()).extracting(SharedIndexInformer::name)
				.containsExactly("webmaps");
			assertThat(parent.getBean(Listening.class).informers).containsOnly("webmaps");
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
	@Import(Recorder.class)
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

		final Lister<V1ConfigMap> settings;

		final List<String> seen = new CopyOnWriteArrayList<>();

		ChildRecorder(Lister<V1ConfigMap> settings) {
			this.settings = settings;
		}

		@InformerHandler(id = "childRecorder.handle")
		void handle(V1ConfigMap settings) {
			this.seen.add("child " + settings.getMetadata().getName());
		}

		@InformerHandler(id = "named", informer = "configmaps")
		void named(V1ConfigMap settings) {
			this.seen.add("named " + settings.getMetadata().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class })
	@Import(Listening.class)
	static class ParentOfNamed {

	}

	static class Listening implements InformerListener {

		final List<String> informers = new CopyOnWriteArrayList<>();

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.StateChanged changed) {
				this.informers.add(changed.informer().name());
			}
		}

	}

}
