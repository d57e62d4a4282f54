/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.Lister;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetesOptions;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureEmbeddedKubernetes}.
 */
class AutoConfigureEmbeddedKubernetesTests {

	@Test
	void testsWithTheSameContext_shareTheServerThatTheApplicationFollows() {
		TestContext first = new TestContextManager(FirstCase.class).getTestContext();
		TestContext second = new TestContextManager(SecondCase.class).getTestContext();
		try {
			ApplicationContext context = first.getApplicationContext();
			assertThat(second.getApplicationContext()).isSameAs(context);
			pod(context.getBean(EmbeddedKubernetes.class), "one");
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.names).containsExactly("one"));
			assertThat(context.getBean(KubernetesConnectionDetails.class).getNamespace()).isEqualTo("default");
		}
		finally {
			first.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
		}
	}

	@Test
	void slices_getInformersAndTheServer() {
		new ApplicationContextRunner().withUserConfiguration(Slice.class).run((context) -> {
			assertThat(context).hasSingleBean(EmbeddedKubernetes.class);
			assertThat(context.getBean(InformerRegistry.class).hasSynced()).isTrue();
			assertThat(context.getBean(NodeNames.class).nodes.list()).extracting((node) -> node.getMetadata().getName())
				.containsExactly("node-a");
		});
	}

	@Test
	void customizers_setOptions() {
		new ApplicationContextRunner().withUserConfiguration(Slice.class, Guarded.class).run((context) -> {
			assertThat(context.getBean(KubernetesConnectionDetails.class).getToken()).isEqualTo("secret");
			assertThat(context.getBean(InformerRegistry.class).hasSynced()).isTrue();
		});
	}

	@Test
	void customizerThatThrows_failsTheStart() {
		new ApplicationContextRunner().withUserConfiguration(Slice.class)
			.withBean("broken", EmbeddedKubernetesCustomizer.class, BrokenCustomizer::new)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessage("for the test"));
	}

	@Test
	void applicationAtDevelopmentTime_isConnectedInsteadOfItsCluster() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class, Slice.class)
			.web(WebApplicationType.NONE)
			.properties("informer.connection.url=http://127.0.0.1:1", "spring.main.banner-mode=off")
			.run()) {
			assertThat(context.getBean(NodeNames.class).nodes.size()).isEqualTo(1);
		}
	}

	private static void pod(EmbeddedKubernetes kubernetes, String name) {
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", name)));
	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureEmbeddedKubernetes
	static class FirstCase {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureEmbeddedKubernetes
	static class SecondCase {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Recorder recorder() {
			return new Recorder();
		}

	}

	static class Recorder {

		final List<String> names = new CopyOnWriteArrayList<>();

		@InformerHandler
		void handle(V1Pod pod) {
			this.names.add(pod.getMetadata().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureEmbeddedKubernetes
	static class Slice {

		@Bean
		NodeNames nodeNames(Lister<V1Node> nodes) {
			return new NodeNames(nodes);
		}

		@Bean
		EmbeddedKubernetesCustomizer nodes() {
			return (kubernetes) -> kubernetes
				.create(Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", "node-a")));
		}

	}

	record NodeNames(Lister<V1Node> nodes) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Guarded {

		@Bean
		EmbeddedKubernetesCustomizer token() {
			return new EmbeddedKubernetesCustomizer() {

				@Override
				public void customize(EmbeddedKubernetesOptions options) {
					options.token("secret");
				}

				@Override
				public void populate(EmbeddedKubernetes kubernetes) {
				}

			};
		}

	}

	static class BrokenCustomizer implements EmbeddedKubernetesCustomizer {

		@Override
		public void populate(EmbeddedKubernetes kubernetes) {
			throw new IllegalStateException("for the test");
		}

	}

}
