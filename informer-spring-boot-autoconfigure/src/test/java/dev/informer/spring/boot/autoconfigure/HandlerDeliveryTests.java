/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.config.HandlerDelivery;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandlerDelivery} in applications that stop.
 */
@Timeout(120)
class HandlerDeliveryTests {

	private EmbeddedKubernetes kubernetes;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start();
		pod("one");
	}

	@AfterEach
	void stop() {
		this.kubernetes.close();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("informer")));
	}

	@Test
	void requestInProgress_readsCacheAfterDeliveryStopped() throws Exception {
		ConfigurableApplicationContext context = run(WebApplicationType.SERVLET, "--server.port=0");
		Work work = context.getBean(Work.class);
		await().until(() -> work.handled.contains("one"));
		CompletableFuture<HttpResponse<String>> response = get(
				"http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/pods");
		assertThat(work.requested.await(60, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
		InformerFactory factory = context.getBean(InformerFactory.class);
		await().until(factory::areHandlersSuspended);
		pod("two");
		await().until(() -> work.pods.size() == 2);
		work.serve.countDown();
		assertThat(response.get(60, TimeUnit.SECONDS).body()).isEqualTo("2");
		closed.get(60, TimeUnit.SECONDS);
		assertThat(work.handled).containsExactly("one");
	}

	@Test
	void runningInvocation_endsBeforeOtherBeansStop() throws Exception {
		ConfigurableApplicationContext context = run(WebApplicationType.NONE);
		Work work = context.getBean(Work.class);
		await().until(() -> work.handled.contains("one"));
		work.slow = true;
		pod("two");
		await().until(() -> work.begun.contains("two"));
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
		await().until(context.getBean(InformerFactory.class)::areHandlersSuspended);
		pod("three");
		await().until(() -> work.pods.size() == 3);
		assertThat(work.handledAtStop).isEmpty();
		work.handle.countDown();
		closed.get(60, TimeUnit.SECONDS);
		assertThat(work.handledAtStop).containsExactly("one", "two");
		assertThat(work.begun).containsExactly("one", "two");
		assertThat(work.interrupts).isEmpty();
	}

	@Test
	void blockedHandler_delaysStopNoLongerThanPhaseTimeout() throws Exception {
		ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				"--spring.lifecycle.timeout-per-shutdown-phase=600ms");
		Work work = context.getBean(Work.class);
		await().until(() -> work.handled.contains("one"));
		work.slow = true;
		work.stubborn = true;
		pod("two");
		await().until(() -> work.begun.contains("two"));
		Instant began = Instant.now();
		context.close();
		assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(10));
		assertThat(work.interrupts).isNotEmpty();
		assertThat(work.handled).containsExactly("one");
		work.handle.countDown();
	}

	@Test
	void handlerThatClosesContext_isNeitherWaitedForNorInterrupted() {
		ConfigurableApplicationContext context = run(WebApplicationType.NONE);
		Work work = context.getBean(Work.class);
		await().until(() -> work.handled.contains("one"));
		work.action = context::close;
		Instant began = Instant.now();
		pod("two");
		await().until(() -> work.handled.contains("two"));
		assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(10));
		assertThat(context.isActive()).isFalse();
		assertThat(work.interruptedAfterAction).isFalse();
	}

	@Test
	void restart_resumesDeliveryWithDifferences() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE)) {
			Work work = context.getBean(Work.class);
			HandlerDelivery delivery = context.getBean(HandlerDelivery.class);
			await().until(() -> work.handled.contains("one"));
			assertThat(delivery.isRunning()).isTrue();
			context.stop();
			assertThat(delivery.isRunning()).isFalse();
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isFalse();
			pod("two");
			context.start();
			await().until(() -> work.handled.contains("two"));
			assertThat(work.handled).containsExactly("one", "two");
			assertThat(delivery.isRunning()).isTrue();
			delivery.stop();
			pod("three");
			await().until(() -> work.pods.size() == 3);
			assertThat(work.handled).containsExactly("one", "two");
			delivery.start();
			await().until(() -> work.handled.contains("three"));
		}
	}

	@Test
	void manuallyStartedRegistry_deliversUntilApplicationStops() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, "--informer.auto-startup=false")) {
			HandlerDelivery delivery = context.getBean(HandlerDelivery.class);
			Work work = context.getBean(Work.class);
			assertThat(delivery.isRunning()).isFalse();
			context.getBean(InformerRegistry.class).start();
			await().until(() -> work.handled.contains("one"));
			assertThat(delivery.isRunning()).isTrue();
			context.stop();
			assertThat(context.getBean(InformerFactory.class).areHandlersSuspended()).isTrue();
			pod("two");
			context.getBean(InformerRegistry.class).start();
			await().until(() -> work.handled.contains("two"));
			assertThat(delivery.isRunning()).isTrue();
		}
	}

	private ConfigurableApplicationContext run(WebApplicationType type, String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("informer.connection.url=" + this.kubernetes.url(), "spring.main.banner-mode=off")
			.run(arguments);
	}

	private void pod(String name) {
		this.kubernetes.create(TestObjects.pod("default", name));
	}

	private static CompletableFuture<HttpResponse<String>> get(String url) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
		return CompletableFuture.supplyAsync(() -> {
			try {
				return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
			}
			catch (IOException | InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Work work(Lister<V1Pod> pods) {
			return new Work(pods);
		}

		@Bean
		SmartLifecycle others(Work work) {
			return new Others(work);
		}

	}

	@RestController
	static class Work {

		final List<String> begun = new CopyOnWriteArrayList<>();

		final List<String> handled = new CopyOnWriteArrayList<>();

		final List<String> handledAtStop = new CopyOnWriteArrayList<>();

		final List<String> interrupts = new CopyOnWriteArrayList<>();

		final CountDownLatch requested = new CountDownLatch(1);

		final CountDownLatch serve = new CountDownLatch(1);

		final CountDownLatch handle = new CountDownLatch(1);

		final Lister<V1Pod> pods;

		volatile boolean slow;

		volatile boolean interruptedAfterAction;

		volatile Runnable action = () -> {
		};

		volatile boolean stubborn;

		Work(Lister<V1Pod> pods) {
			this.pods = pods;
		}

		@InformerHandler
		void added(V1Pod pod) throws InterruptedException {
			String name = pod.getMetadata().getName();
			this.begun.add(name);
			this.action.run();
			this.interruptedAfterAction = Thread.currentThread().isInterrupted();
			while (this.slow && this.handle.getCount() > 0) {
				await(name);
			}
			this.handled.add(name);
		}

		private void await(String name) throws InterruptedException {
			try {
				this.handle.await();
			}
			catch (InterruptedException ex) {
				this.interrupts.add(name);
				if (!this.stubborn) {
					throw ex;
				}
			}
		}

		@GetMapping("/pods")
		String pods() throws InterruptedException {
			this.requested.countDown();
			this.serve.await();
			return String.valueOf(this.pods.list().size());
		}

	}

	/**
	 * Something that stops with the web server.
	 */
	static class Others implements SmartLifecycle {

		private final Work work;

		private volatile boolean running;

		Others(Work work) {
			this.work = work;
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 2048;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.work.handledAtStop.addAll(this.work.handled);
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
