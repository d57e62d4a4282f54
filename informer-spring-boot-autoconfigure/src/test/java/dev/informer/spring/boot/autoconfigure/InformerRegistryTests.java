/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what {@link InformerRegistry} does while an application runs.
 */
class InformerRegistryTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@AutoClose
	private EmbeddedKubernetes kubernetes;

	private ApplicationContextRunner runner;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start();
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		configMap("one");
		this.runner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
							InformerMetricsAutoConfiguration.class, InformerHealthContributorAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("informer.connection.url=" + this.kubernetes.url());
	}

	@Test
	void registeredInformer_startsImmediatelyAndIsListed() {
		run((context, registry) -> {
			SharedIndexInformer<V1ConfigMap> informer = registry.register(V1ConfigMap.class,
					(options) -> options.name("ofshop").namespaces("shop"));
			assertThat(informer.awaitSynced(PATIENCE)).isTrue();
			assertThat(informer.lister().byIndex("byName", "one")).hasSize(1);
			assertThat(registry.informers()).contains(informer);
			assertThat(registry.isRequired(informer)).isFalse();
			assertThat(context.getBean("informersHealthContributor", CompositeHealthContributor.class)
				.getContributor("ofshop")).isNotNull();
			await().untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class)
				.get("kubernetes.informer.store.size")
				.tag("informer", "ofshop")
				.gauge()
				.value()).isEqualTo(1));
		});
	}

	@Test
	void registeredInformer_stopsAndStartsWithOthers() {
		run((context, registry) -> {
			SharedIndexInformer<V1ConfigMap> running = registry.register(V1ConfigMap.class,
					(options) -> options.name("running"));
			assertThat(running.awaitSynced(PATIENCE)).isTrue();
			registry.stop();
			assertThat(running.state().phase()).isEqualTo(Phase.STOPPED);
			SharedIndexInformer<V1ConfigMap> early = registry.register(V1ConfigMap.class,
					(options) -> options.name("early"));
			assertThat(early.state().phase()).isEqualTo(Phase.NOT_STARTED);
			this.kubernetes.faults().always(Verb.LIST, "configmaps", Fault.status(403));
			registry.start();
			assertThat(registry.isRunning()).isTrue();
			this.kubernetes.faults().clear();
			assertThat(early.awaitSynced(PATIENCE)).isTrue();
			context.close();
			assertThat(running.state().phase()).isEqualTo(Phase.STOPPED);
			assertThatIllegalStateException().isThrownBy(early::start);
		});
	}

	@Test
	void registeredInformer_canBeRemoved() {
		run((context, registry) -> {
			SharedIndexInformer<V1ConfigMap> first = registry.register(V1ConfigMap.class,
					(options) -> options.name("tenant"));
			assertThat(first.awaitSynced(PATIENCE)).isTrue();
			registry.remove("tenant");
			assertThat(registry.findInformer("tenant")).isEmpty();
			assertThatIllegalStateException().isThrownBy(first::start);
			await().untilAsserted(() -> assertThat(this.kubernetes.openWatches("configmaps")).isZero());
			await().untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class)
				.find("kubernetes.informer.store.size")
				.tag("informer", "tenant")
				.gauge()).isNull());
			assertThat(registry.register(V1ConfigMap.class, (options) -> options.name("tenant").namespaces("shop"))
				.awaitSynced(PATIENCE)).isTrue();
		});
	}

	@Test
	void duplicateName_isRejected() {
		run((context, registry) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> registry.register(V1Namespace.class, (options) -> {
			})).withMessageContaining("there is an informer 'namespaces' already");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> registry.register(V1ConfigMap.class, (options) -> options.name("namespaces")))
				.withMessageContaining("'namespaces'");
			assertThat(registry.informers()).hasSize(1);
		});
	}

	@Test
	void beansAndUnknownNames_cannotBeRemoved() {
		run((context, registry) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> registry.remove("namespaces"))
				.withMessageContaining("is a bean and cannot be removed");
			assertThatIllegalArgumentException().isThrownBy(() -> registry.remove("pods"))
				.withMessageContaining("there is no informer 'pods'; the informers are [namespaces]");
		});
	}

	@Test
	void handler_isPausedAndResumedById() {
		run((context, registry) -> {
			Handlers handlers = context.getBean(Handlers.class);
			assertThat(registry.awaitHandlersIdle(PATIENCE)).isTrue();
			int before = handlers.seen.size();
			registry.pause("audit");
			assertThat(registry.handler("audit").isPaused()).isTrue();
			namespace("later");
			await().untilAsserted(() -> assertThat(registry.handler("audit").pending()).isEqualTo(1));
			assertThat(registry.awaitHandlersIdle(PATIENCE)).as("does not wait for what is paused").isTrue();
			assertThat(handlers.seen).hasSize(before);
			registry.resume("audit");
			assertThat(registry.awaitHandlersIdle(PATIENCE)).isTrue();
			assertThat(handlers.seen).hasSize(before + 1).endsWith("later");
			assertThatIllegalArgumentException().isThrownBy(() -> registry.pause("audits"))
				.withMessage("there is no handler 'audits'; the IDs are [audit]");
		});
	}

	@Test
	void awaitHandlersIdle_waitsForRunningInvocation() {
		run((context, registry) -> {
			assertThat(registry.awaitHandlersIdle(PATIENCE)).isTrue();
			CountDownLatch release = new CountDownLatch(1);
			HandlerRegistration slow = registry.informer("namespaces", V1Namespace.class)
				.addHandler((event) -> release.await(60, TimeUnit.SECONDS), (options) -> options.name("slow"));
			assertThat(registry.awaitHandlersIdle(Duration.ofMillis(50))).isFalse();
			release.countDown();
			assertThat(registry.awaitHandlersIdle(PATIENCE)).isTrue();
			assertThat(slow.pending()).isZero();
		});
	}

	private void run(RegistryConsumer test) {
		this.runner.withUserConfiguration(Beans.class)
			.withBean("handlers", Handlers.class)
			.run((ContextConsumer<AssertableApplicationContext>) (context) -> test.accept(context,
					context.getBean(InformerRegistry.class)));
	}

	private void configMap(String name) {
		this.kubernetes.create(TestObjects.configMap("shop", name));
	}

	private void namespace(String name) {
		this.kubernetes.create(TestObjects.namespace(name));
	}

	@FunctionalInterface
	private interface RegistryConsumer {

		void accept(AssertableApplicationContext context, InformerRegistry registry) throws Exception;

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		IndexFunction<V1ConfigMap> byName() {
			return (settings) -> List.of(String.valueOf(settings.getMetadata().getName()));
		}

	}

	static class Handlers {

		private final Lister<V1Namespace> namespaces;

		private final List<String> seen = new CopyOnWriteArrayList<>();

		Handlers(Lister<V1Namespace> namespaces) {
			this.namespaces = namespaces;
		}

		@InformerHandler(id = "audit")
		void handle(V1Namespace namespace) {
			assertThat(this.namespaces.list()).isNotEmpty();
			this.seen.add(String.valueOf(namespace.getMetadata().getName()));
		}

	}

}
