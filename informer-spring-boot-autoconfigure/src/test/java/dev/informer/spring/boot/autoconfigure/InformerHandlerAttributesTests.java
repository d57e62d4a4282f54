/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.ResourceEvent;
import dev.informer.RetryPolicy;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the attributes of handler methods that say how they are called.
 */
class InformerHandlerAttributesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class));

	private final ApplicationContextRunner withoutServer = this.runner.withBean(InformerFactory.class,
			TestInformerFactory::new);

	@Test
	void attributes_setOptions() {
		this.withoutServer.withBean("handlers", Handlers.class)
			.withUserConfiguration(Beans.class)
			.withPropertyValues("audit.retries=2")
			.run((context) -> {
				HandlerOptions<?> options = context.getBean("podsInformer", TestInformer.class).handlerOptions("audit");
				assertThat(options.changes()).containsExactlyInAnyOrder(ChangedPart.SPEC, ChangedPart.LABELS);
				assertThat(options.concurrency()).isEqualTo(4);
				assertThat(options.retry())
					.isEqualTo(new RetryPolicy(2, Duration.ofMillis(10), 1.5, Duration.ofSeconds(30), Duration.ZERO));
				assertThat(options.filter()).isSameAs(context.getBean("webPods"));
				assertThat(options.errorHandler()).isSameAs(context.getBean("podErrors"));
			});
	}

	@Test
	void noAttributes_useDefaultsAndErrorHandlerOfType() {
		this.withoutServer.withBean("handlers", Handlers.class).withUserConfiguration(Beans.class).run((context) -> {
			HandlerOptions<?> options = context.getBean("podsInformer", TestInformer.class).handlerOptions("plain");
			assertThat(options.changes()).isEmpty();
			assertThat(options.concurrency()).isEqualTo(1);
			assertThat(options.retry()).isEqualTo(RetryPolicy.DEFAULT);
			assertThat(options.filter()).isNull();
			assertThat(options.errorHandler()).isSameAs(context.getBean("podErrors"));
			assertThat(context.getBean("nodesInformer", TestInformer.class).handlerOptions("nodes").errorHandler())
				.isSameAs(context.getBean("allErrors"));
		});
	}

	@Test
	void handlerProperties_overrideAttributesAndInformerProperties() {
		this.withoutServer.withBean("handlers", Handlers.class)
			.withUserConfiguration(Beans.class)
			.withPropertyValues("informer.handlers.audit.concurrency=2", "informer.handlers.audit.changes=status",
					"informer.handlers.audit.retry.max-retries=6", "informer.resources.pods.handler.concurrency=8",
					"informer.resources.pods.handler.retry.max-delay=1m", "informer.handlers.plain.retry.jitter=400ms")
			.run((context) -> {
				TestInformer<?> pods = context.getBean("podsInformer", TestInformer.class);
				HandlerOptions<?> audit = pods.handlerOptions("audit");
				assertThat(audit.concurrency()).isEqualTo(2);
				assertThat(audit.changes()).containsExactly(ChangedPart.STATUS);
				assertThat(audit.retry())
					.isEqualTo(new RetryPolicy(6, Duration.ofMillis(10), 1.5, Duration.ofMinutes(1), Duration.ZERO));
				assertThat(pods.handlerOptions("plain").concurrency()).isEqualTo(8);
				assertThat(pods.handlerOptions("plain").retry()).isEqualTo(
						new RetryPolicy(4, Duration.ofMillis(800), 2, Duration.ofMinutes(1), Duration.ofMillis(400)));
			});
	}

	@Test
	void repeatedAnnotation_addsSeparateHandlers() {
		this.withoutServer.withBean("repeated", Repeated.class)
			.withPropertyValues("informer.resources.webpods.resource=pods")
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class).handlerIds()).containsExactly("all", "web");
				assertThat(context.getBean("webpodsInformer", TestInformer.class).handlerOptions("web")).isNotNull();
				assertThat(context.getBean("podsInformer", TestInformer.class).handlerOptions("all")).isNotNull();
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			wrong.concurrency=many  | its concurrency 'many' is not a whole number, at least 1
			wrong.concurrency=0     | Option 'concurrency' must be at least 1, not 0
			wrong.retries=-2        | Option 'retry.max-retries' must be at least 0
			wrong.delay=soon        | its retry.delay 'soon' is not a duration
			wrong.start=perhaps     | its autoStartup 'perhaps' is not true or false
			wrong.filter=noSuchBean | its filter 'noSuchBean' is not the name of a Predicate bean
			wrong.filter=podErrors  | its filter 'podErrors' is not the name of a Predicate bean
			wrong.errors=webPods    | its errorHandler 'webPods' is not the name of a HandlerErrorHandler bean
			informer.resources.pods.handler.retry.max-delay=1ms | 'informer.resources.pods.handler.retry.max-delay'
			informer.handlers.wrong.retry.multiplier=0 | 'informer.handlers.wrong.retry.multiplier'
			informer.handlers.wrong.concurrency=-1 | 'informer.handlers.wrong.concurrency'
			""")
	void invalidValue_isRejected(String property, String message) {
		this.withoutServer.withBean("wrong", Wrong.class)
			.withUserConfiguration(Beans.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.satisfies((failure) -> assertThat(messages(failure)).contains(message)));
	}

	@Test
	void conflictingValues_areRejectedWithMethod() {
		this.withoutServer.withBean("wrong", Wrong.class)
			.withPropertyValues("wrong.delay=25s", "informer.handlers.wrong.retry.max-delay=20s")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("do not fit together")
				.hasMessageContaining(
						"Option 'retry.max-delay' must not be shorter than the delay of 25000 ms, but is 20000 ms"));
	}

	@Test
	void runningApplication_appliesAttributes() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
			kubernetes.create(settings("plain", Map.of()));
			kubernetes.create(settings("web", Map.of("tier", "web")));
			this.runner.withUserConfiguration(SettingsBeans.class)
				.withBean("settings", Settings.class)
				.withPropertyValues("informer.connection.url=" + kubernetes.url())
				.run((context) -> {
					Settings settings = context.getBean(Settings.class);
					SettingsBeans beans = context.getBean(SettingsBeans.class);
					await().untilAsserted(() -> assertThat(beans.failures).containsExactly("web attempt 1, again: true",
							"web attempt 2, again: false"));
					kubernetes.mergePatch("configmaps", "shop", "web",
							"{\"metadata\": {\"annotations\": {\"a\": \"b\"}}}");
					kubernetes.mergePatch("configmaps", "shop", "web", "{\"data\": {\"a\": \"b\"}}");
					kubernetes.mergePatch("configmaps", "shop", "plain",
							"{\"metadata\": {\"labels\": {\"tier\": \"web\"}}}");
					await().untilAsserted(() -> assertThat(settings.events).startsWith("ADDED web", "ADDED web")
						.containsExactlyInAnyOrder("ADDED web", "ADDED web", "UPDATED web", "ADDED plain"));
					HandlerRegistration late = context.getBean(InformerRegistry.class)
						.findHandler("late")
						.orElseThrow();
					assertThat(late.isPaused()).isTrue();
					assertThat(settings.late).isEmpty();
					late.resume();
					await().untilAsserted(() -> assertThat(settings.late).containsExactlyInAnyOrder("plain", "web"));
				});
		}
	}

	private static Map<String, Object> settings(String name, Map<String, String> labels) {
		return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "shop", "name", name, "labels", labels));
	}

	private static String messages(Throwable failure) {
		StringBuilder messages = new StringBuilder();
		for (Throwable each = failure; each != null; each = each.getCause()) {
			messages.append(each.getMessage()).append('\n');
		}
		return messages.toString();
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		Predicate<V1Pod> webPods() {
			return (pod) -> pod.getMetadata() != null;
		}

		@Bean
		HandlerErrorHandler<V1Pod> podErrors() {
			return (failure) -> {
			};
		}

		@Bean
		HandlerErrorHandler<KubernetesObject> allErrors() {
			return (failure) -> {
			};
		}

	}

	static class Handlers {

		@InformerHandler(id = "audit", changes = { ChangedPart.SPEC, ChangedPart.LABELS }, concurrency = "#{2 + 2}",
				filter = "webPods", errorHandler = "#{@podErrors}",
				retry = @Retry(maxRetries = "${audit.retries:9}", delay = "10ms", multiplier = "1.5", jitter = "0"))
		void audit(V1Pod pod) {
		}

		@InformerHandler(id = "plain")
		void plain(V1Pod pod) {
		}

		@InformerHandler(id = "nodes")
		void nodes(V1Node node) {
		}

	}

	static class Repeated {

		@InformerHandler(id = "all")
		@InformerHandler(id = "web", informer = "webpods")
		void handle(V1Pod pod) {
		}

	}

	static class Wrong {

		@InformerHandler(id = "wrong", concurrency = "${wrong.concurrency:}", filter = "${wrong.filter:}",
				errorHandler = "${wrong.errors:}", autoStartup = "${wrong.start:}",
				retry = @Retry(maxRetries = "${wrong.retries:}", delay = "${wrong.delay:}"))
		void handle(V1Pod pod) {
		}

	}

	@Configuration
	static class SettingsBeans {

		private final List<String> failures = new CopyOnWriteArrayList<>();

		@Bean
		Predicate<V1ConfigMap> ofTheWeb() {
			return (settings) -> {
				Map<String, String> labels = settings.getMetadata().getLabels();
				return labels != null && "web".equals(labels.get("tier"));
			};
		}

		@Bean
		HandlerErrorHandler<V1ConfigMap> errors() {
			return (failure) -> this.failures.add(failure.event().object().getMetadata().getName() + " attempt "
					+ failure.attempt() + ", again: " + (failure.retryIn() != null));
		}

	}

	static class Settings {

		private final List<String> events = new CopyOnWriteArrayList<>();

		private final List<String> late = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "web", filter = "ofTheWeb", changes = { ChangedPart.SPEC, ChangedPart.LABELS },
				retry = @Retry(maxRetries = "1", delay = "1ms", jitter = "0"))
		void web(ResourceEvent<V1ConfigMap> event) {
			this.events.add(event.type() + " " + event.object().getMetadata().getName());
			if (this.events.size() <= 2) {
				throw new IllegalStateException("for the test");
			}
		}

		@InformerHandler(id = "late", autoStartup = "false")
		void late(V1ConfigMap settings) {
			this.late.add(String.valueOf(settings.getMetadata().getName()));
		}

	}

}
