/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.Lister;
import dev.informer.ObjectCopy;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link MutationDetectionTestExecutionListener}.
 */
class MutationDetectionTestExecutionListenerTests {

	@Test
	void testWhoseHandlerModifiesAnObject_fails() throws Exception {
		run(DefaultCase.class, (context, manager) -> {
			create(context, "modified-by-handler");
			await().untilAsserted(
					() -> assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> afterTestMethod(manager))
						.withMessageContainingAll("modified-by-handler", "at metadata.labels", "ObjectCopy"));
			assertThatNoException().isThrownBy(() -> afterTestMethod(manager));
		});
	}

	@Test
	void testThatModifiesAPartOfSeveralObjects_failsOnce() throws Exception {
		run(DefaultCase.class, (context, manager) -> {
			for (int i = 0; i < 5; i++) {
				create(context, "pod-" + i);
			}
			Lister<V1Pod> pods = lister(context);
			await().until(() -> pods.size() == 5);
			// a handler that is running would be the one that modified its object
			assertThat(context.getBean(InformerRegistry.class).awaitHandlersIdle(Duration.ofSeconds(30))).isTrue();
			V1Pod copy = ObjectCopy.of(pods.get("default", "pod-4").orElseThrow());
			copy.getSpec().getContainers().get(0).setImage("changed");
			afterTestMethod(manager);
			pods.get("default", "pod-4").orElseThrow().getSpec().getContainers().get(0).setImage("changed");
			await().untilAsserted(
					() -> assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> afterTestMethod(manager))
						.withMessageContainingAll("and 3 more were modified", "at spec.containers[0].image"));
		});
	}

	@Test
	void detectionThatIsConfigured_isLeft() throws Exception {
		run(ConfiguredCase.class, (context, manager) -> {
			assertThat(context.getEnvironment().getProperty("informer.defaults.mutation-detection")).isEqualTo("off");
			create(context, "modified-by-handler");
			await().until(() -> lister(context).size() == 1);
			afterTestMethod(manager);
		});
	}

	private static void run(Class<?> testClass, Body body) throws Exception {
		TestContextManager manager = new TestContextManager(testClass);
		try {
			body.run(manager.getTestContext().getApplicationContext(), manager);
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
		}
	}

	private static void afterTestMethod(TestContextManager manager) throws Exception {
		Method method = MutationDetectionTestExecutionListenerTests.class
			.getDeclaredMethod("detectionThatIsConfigured_isLeft");
		manager.afterTestMethod(new Object(), method, null);
	}

	@SuppressWarnings("unchecked")
	private static Lister<V1Pod> lister(ApplicationContext context) {
		return (Lister<V1Pod>) context.getBeanProvider(ResolvableType.forClassWithGenerics(Lister.class, V1Pod.class))
			.getObject();
	}

	private static void create(ApplicationContext context, String name) {
		context.getBean(EmbeddedKubernetes.class)
			.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", name), "spec",
					Map.of("containers", List.of(Map.of("name", "main", "image", "web:1")))));
	}

	private interface Body {

		void run(ApplicationContext context, TestContextManager manager) throws Exception;

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureEmbeddedKubernetes
	static class DefaultCase {

	}

	@SpringBootTest(classes = Application.class, webEnvironment = WebEnvironment.NONE,
			properties = "informer.defaults.mutation-detection=off")
	@AutoConfigureEmbeddedKubernetes
	static class ConfiguredCase {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Modifying modifying() {
			return new Modifying();
		}

	}

	static class Modifying {

		@InformerHandler
		void handle(V1Pod pod) {
			if (pod.getMetadata().getName().equals("modified-by-handler")) {
				pod.getMetadata().putLabelsItem("handled", "yes");
			}
		}

	}

}
