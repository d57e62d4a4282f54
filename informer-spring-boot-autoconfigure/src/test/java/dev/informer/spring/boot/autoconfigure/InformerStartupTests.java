/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.informer.InformerFactory;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerState.Phase;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the start of informers with their application: its end by the timeout, by a
 * failure and by the end of the application.
 */
@ExtendWith(OutputCaptureExtension.class)
class InformerStartupTests {

	private static final String KEEP_ALIVE = "informer-keep-alive";

	private TestInformerFactory factory = new TestInformerFactory();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, () -> this.factory)
		.withPropertyValues("informer.resources.pods.required=true", "informer.resources.nodes.required=false");

	@Test
	void contextThatIsClosedWhileItStarts_doesNotWaitForTimeout() throws Exception {
		this.factory = new TestInformerFactory(false, (informer) -> {
		});
		AtomicReference<ConfigurableApplicationContext> starting = new AtomicReference<>();
		CompletableFuture<Void> started = CompletableFuture
			.runAsync(() -> this.contextRunner.withInitializer(starting::set)
				.withPropertyValues("informer.startup.timeout=9223372036854775807s")
				.run((context) -> assertThat(context).getFailure()
					.hasStackTraceContaining("Interrupted while waiting for the informers to sync")));
		await().until(() -> hasThread("informer-startup"));
		Objects.requireNonNull(starting.get()).close();
		started.get(60, TimeUnit.SECONDS);
		awaitNothingKeepsAlive();
	}

	@Test
	void contextThatIsClosedWhileClientIsCreated_doesNotWaitForIt() throws Exception {
		CountDownLatch creating = new CountDownLatch(1);
		CountDownLatch created = new CountDownLatch(1);
		customize((informer) -> informer.onStart(() -> {
			creating.countDown();
			awaitUninterruptibly(created);
		}));
		AtomicReference<ConfigurableApplicationContext> starting = new AtomicReference<>();
		CompletableFuture<Void> started = CompletableFuture
			.runAsync(() -> this.contextRunner.withInitializer(starting::set)
				.withPropertyValues("informer.startup.timeout=9223372036854775807s")
				.run((context) -> assertThat(context).getFailure()
					.hasStackTraceContaining("Interrupted while waiting for the informers to sync")));
		try {
			assertThat(creating.await(60, TimeUnit.SECONDS)).isTrue();
			Objects.requireNonNull(starting.get()).close();
			started.get(60, TimeUnit.SECONDS);
		}
		finally {
			created.countDown();
		}
		await().until(() -> !hasThread("informer-startup"));
		assertThat(this.factory.informers()).extracting((informer) -> ((TestInformer<?>) informer).calls())
			.filteredOn((calls) -> calls.contains("start"))
			.allSatisfy((calls) -> assertThat(calls).endsWith("stop"));
	}

	@Test
	void start_logsNamespacesAndSelectors(CapturedOutput output) {
		Logger logger = (Logger) LoggerFactory.getLogger("dev.informer.spring.config.InformerStartup");
		logger.setLevel(Level.INFO);
		try {
			this.contextRunner
				.withPropertyValues("informer.resources.pods.namespaces=shop,web",
						"informer.resources.pods.label-selector=tier=web", "informer.resources.nodes.required=true",
						"informer.resources.services.field-selector=spec.type=NodePort",
						"informer.resources.jobs.namespace-selector=team=a")
				.run((context) -> assertThat(output).contains("pods (namespaces [shop, web], labels tier=web)")
					.contains("nodes,")
					.contains("services (all namespaces, fields spec.type=NodePort)")
					.contains("jobs (namespaces with team=a)"));
		}
		finally {
			logger.setLevel(null);
		}
	}

	@Test
	void clientThatIsNotCreatedInTime_failsStart() {
		CountDownLatch created = new CountDownLatch(1);
		customize((informer) -> informer.onStart(() -> awaitUninterruptibly(created)));
		try {
			this.contextRunner.withPropertyValues("informer.startup.timeout=100ms")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(SyncTimeoutException.class)
					.hasMessageStartingWith("Informers were not started within 100 ms, because the API client is still "
							+ "being created; required ones: 'pods'"));
		}
		finally {
			created.countDown();
		}
	}

	@Test
	void clientThatIsCreatedAfterTimeout_isUsedIfStartupContinues(CapturedOutput output) {
		CountDownLatch created = new CountDownLatch(1);
		customize((informer) -> informer.onStart(() -> awaitUninterruptibly(created)));
		this.contextRunner.withPropertyValues("informer.startup.timeout=100ms", "informer.startup.on-timeout=warn")
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
				assertThat(output).contains("because the API client is still being created", "; continuing startup");
				created.countDown();
				await().until(() -> informer(context, "pods").hasSynced() && informer(context, "nodes").hasSynced());
			});
	}

	@Test
	void clientThatFailsAfterTimeout_isLogged(CapturedOutput output) {
		CountDownLatch created = new CountDownLatch(1);
		customize((informer) -> informer.onStart(() -> {
			awaitUninterruptibly(created);
			throw new IllegalStateException("no credentials");
		}));
		this.contextRunner.withPropertyValues("informer.startup.timeout=100ms", "informer.startup.on-timeout=ignore")
			.run((context) -> {
				created.countDown();
				await().untilAsserted(() -> assertThat(output)
					.contains("Cannot start the informers after the startup timeout", "no credentials"));
			});
	}

	@Test
	void contextThatIsClosedDuringStartOfRegistry_endsStart() {
		assertEndsStart(ConfigurableApplicationContext::close);
	}

	@Test
	void registryThatIsStoppedDuringStart_endsStart() {
		assertEndsStart((context) -> context.getBean(InformerRegistry.class).stop());
	}

	private void assertEndsStart(Consumer<ConfigurableApplicationContext> end) {
		this.factory = new TestInformerFactory(false, (informer) -> {
		});
		this.contextRunner
			.withPropertyValues("informer.auto-startup=false", "informer.startup.timeout=9223372036854775807s")
			.run((context) -> {
				InformerRegistry registry = context.getBean(InformerRegistry.class);
				CompletableFuture<Void> started = CompletableFuture.runAsync(registry::start);
				await().until(() -> informer(context, "pods").state().phase() == Phase.LISTING);
				end.accept(context);
				assertThat(started).failsWithin(Duration.ofSeconds(20))
					.withThrowableOfType(ExecutionException.class)
					.withMessageContaining("they were stopped at the same time");
				assertThat(registry.isRunning()).isFalse();
			});
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void onTimeoutWarn_continuesStartup(CapturedOutput output) {
		this.factory = new TestInformerFactory(false, (informer) -> {
		});
		this.contextRunner.withPropertyValues("informer.startup.timeout=100ms", "informer.startup.on-timeout=warn")
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
				assertThat(output).contains("Required informers did not sync within 100 ms: 'pods'",
						"; continuing startup");
				assertThat(this.factory.calls()).endsWith("release");
			});
	}

	@Test
	void onTimeoutIgnore_continuesStartup(CapturedOutput output) {
		this.factory = new TestInformerFactory(false, (informer) -> {
		});
		this.contextRunner.withPropertyValues("informer.startup.timeout=100ms", "informer.startup.on-timeout=ignore")
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
				assertThat(output).doesNotContain("WARN");
			});
	}

	@Test
	void notRequiredInformer_doesNotBlockOrFailStart() {
		customize((informer) -> {
			if (informer.name().equals("nodes")) {
				informer.failing(Phase.FAILED, failure(InformerFailure.Kind.INVALID, "400"));
			}
		});
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void permanentlyFailedInformer_failsStartImmediately() {
		this.factory = new TestInformerFactory(false, (informer) -> {
			if (informer.name().equals("services")) {
				informer.failing(Phase.FAILED, failure(InformerFailure.Kind.INVALID, "400: unable to parse"));
			}
		});
		Instant started = Instant.now();
		this.contextRunner.withPropertyValues("informer.resources.services.label-selector=((")
			.run((context) -> assertThat(context).getFailure()
				.cause()
				.isInstanceOf(InformerFailedException.class)
				.hasMessageContaining("'services'")
				.hasMessageContaining("400: unable to parse"));
		assertThat(Duration.between(started, Instant.now())).isLessThan(Duration.ofSeconds(20));
	}

	private void customize(Consumer<TestInformer<?>> customizer) {
		this.factory = new TestInformerFactory(true, customizer);
	}

	private static InformerFailure failure(InformerFailure.Kind kind, String message) {
		return new InformerFailure(kind, message, Instant.EPOCH, new IllegalStateException(message));
	}

	private static TestInformer<?> informer(ApplicationContext context, String name) {
		return context.getBean(name + "Informer", TestInformer.class);
	}

	private static boolean hasThread(String name) {
		return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> thread.getName().equals(name));
	}

	/**
	 * The thread of a context that was closed, also in the test before, needs a moment to
	 * end.
	 */
	private static void awaitNothingKeepsAlive() {
		await().until(() -> !keepsAlive());
	}

	private static boolean keepsAlive() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals(KEEP_ALIVE) && !thread.isDaemon());
	}

}
