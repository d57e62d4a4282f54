/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import dev.informer.InformerFactory;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code informer.startup.await-handlers}.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class AwaitHandlersTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, InformerReplicasAutoConfiguration.class,
						KubernetesConnectionAutoConfiguration.class, InformerHealthContributorAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(), "spring.application.name=shop",
				"informer.startup.await-handlers=true");

	@Test
	void startup_waitsUntilHandlersHaveHandledTheInitialList() {
		createPods();
		this.runner.withBean("names", Names.class)
			.withBean("server", Server.class)
			.run((context) -> assertThat(context.getBean(Server.class).namesAtStart.get()).hasSize(300));
	}

	@Test
	void handlerThatIsBusy_failsStartup() {
		new BlockedHandler().runner()
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(SyncTimeoutException.class)
				.hasMessage(
						"Handlers did not receive the initial list within 100 ms: 'names' (3 events pending, 1 running)"));
	}

	@Test
	void handlerThatIsBusy_keepsReadinessDownIfStartupContinues(CapturedOutput output) {
		BlockedHandler blocked = new BlockedHandler();
		blocked.runner().withPropertyValues("informer.startup.on-timeout=warn").run((context) -> {
			assertThat(output).contains("Handlers did not receive the initial list within 100 ms: 'names' (3 events "
					+ "pending, 1 running); continuing startup");
			assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health(context).getDetails()).containsEntry("waitingForHandlers", List.of("names"));
			blocked.received.countDown();
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void handlersThatMayNeverBeInvoked_areNotAwaited() {
		createPods();
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "one")));
		this.runner.withBean("others", Others.class)
			.withPropertyValues("informer.leader.enabled=true", "informer.sharding.enabled=true",
					"informer.resources.configmaps.required=false", "informer.resources.secrets.shard.by=uid",
					"spring.lifecycle.timeout-per-shutdown-phase=1s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(InformerRegistry.class).handlerIds()).contains("leaderonly", "paused",
						"sharded", "share", "optional");
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			});
	}

	private static Health health(ApplicationContext context) {
		Health health = context.getBean("informerSyncHealthIndicator", HealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

	private void createPods() {
		for (int i = 0; i < 300; i++) {
			this.kubernetes.create(TestObjects.pod("default", "web-" + i));
		}
	}

	static class Names {

		final Set<String> names = ConcurrentHashMap.newKeySet();

		@InformerHandler(id = "names")
		void add(V1Pod pod) {
			this.names.add(pod.getMetadata().getName());
		}

	}

	/**
	 * Starts in the phase of a web server.
	 */
	static class Server implements SmartLifecycle {

		final AtomicReference<Set<String>> namesAtStart = new AtomicReference<>();

		private final Names names;

		private volatile boolean running;

		Server(Names names) {
			this.names = names;
		}

		@Override
		public void start() {
			this.namesAtStart.set(Set.copyOf(this.names.names));
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
			return DEFAULT_PHASE - 2048;
		}

	}

	/**
	 * Application with an informer whose handler has not received the initial list.
	 */
	private final class BlockedHandler {

		private volatile CountDownLatch received = new CountDownLatch(0);

		private final TestInformerFactory factory = new TestInformerFactory(true,
				(informer) -> this.received = informer.blockHandlers());

		ApplicationContextRunner runner() {
			return AwaitHandlersTests.this.runner.withBean(InformerFactory.class, () -> this.factory)
				.withBean("names", Names.class)
				.withPropertyValues("informer.startup.timeout=100ms");
		}

	}

	static class Others {

		@InformerHandler(id = "leaderonly", leaderOnly = "true")
		void leaderOnly(V1Pod pod) throws InterruptedException {
			new CountDownLatch(1).await();
		}

		@InformerHandler(id = "sharded", sharded = true)
		void sharded(V1Pod pod) throws InterruptedException {
			new CountDownLatch(1).await();
		}

		@InformerHandler(id = "share")
		void share(V1Secret secret) throws InterruptedException {
			new CountDownLatch(1).await();
		}

		@InformerHandler(id = "paused", autoStartup = "false")
		void paused(V1Pod pod) {
		}

		@InformerHandler(id = "optional")
		void optional(V1ConfigMap map) {
		}

	}

}
