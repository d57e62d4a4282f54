/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.official.OfficialInformers;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an informer that a bean starts while it is created, as the discovery of
 * Spring Cloud Kubernetes does.
 */
@Timeout(120)
class EarlyInformerTests {

	@Test
	void handlerOfEarlyInformer_isHeldUntilAllHaveSynced() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.create(TestObjects.configMap("default", "a"));
			kubernetes.create(TestObjects.pod("default", "a"));
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
						KubernetesConnectionAutoConfiguration.class))
				.withUserConfiguration(Application.class)
				.withPropertyValues("informer.connection.url=" + kubernetes.url())
				.run((context) -> {
					Work work = context.getBean(Work.class);
					await().until(() -> !work.handled.isEmpty());
					assertThat(work.handled).containsExactly("a beside 1 pods");
					assertThat(work.handledBeforeStart).isEmpty();
					assertThat(context.getBean(InformerRegistry.class).hasSynced()).isTrue();
					assertThat(kubernetes.requests(Verb.LIST, "configmaps")).hasSize(1);
				});
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		SharedInformerFactory discovery(SharedIndexInformer<V1ConfigMap> maps) throws InterruptedException {
			SharedInformerFactory factory = OfficialInformers.factory(maps);
			factory.startAllRegisteredInformers();
			assertThat(maps.awaitSynced(Duration.ofSeconds(60))).isTrue();
			return factory;
		}

		@Bean
		Work work(Lister<V1Pod> pods) {
			return new Work(pods);
		}

	}

	/**
	 * Handler that reads the cache of another informer, and a lifecycle that starts
	 * before the informers.
	 */
	static class Work implements SmartLifecycle {

		final List<String> handled = new CopyOnWriteArrayList<>();

		final List<String> handledBeforeStart = new CopyOnWriteArrayList<>();

		private final Lister<V1Pod> pods;

		private volatile boolean running;

		Work(Lister<V1Pod> pods) {
			this.pods = pods;
		}

		@InformerHandler
		void changed(V1ConfigMap map) {
			if (!this.running) {
				this.handledBeforeStart.add(map.getMetadata().getName());
			}
			this.handled.add(map.getMetadata().getName() + " beside " + this.pods.size() + " pods");
		}

		@Override
		public void start() {
			await().during(Duration.ofMillis(200)).until(this.handledBeforeStart::isEmpty);
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

	}

}
