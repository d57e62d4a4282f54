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

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the start and the stop of informers with their application.
 */
@ExtendWith(OutputCaptureExtension.class)
class InformerLifecycleTests {

	private static final String KEEP_ALIVE = "informer-keep-alive";

	private TestInformerFactory factory = new TestInformerFactory();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, () -> this.factory)
		.withPropertyValues("informer.resources.pods.required=true", "informer.resources.nodes.required=false");

	@Test
	void start_startsInformersAndKeepsJvmAlive() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
			assertThat(informer(context, "pods").calls()).containsExactly("start");
			assertThat(informer(context, "nodes").calls()).containsExactly("start");
			assertThat(keepsAlive()).isTrue();
		});
		awaitNothingKeepsAlive();
		assertThat(this.factory.calls()).contains("stop 20", "close");
	}

	@Test
	void delivery_isDeferredUntilRequiredInformersHaveSynced() {
		this.contextRunner.run((context) -> assertThat(this.factory.calls()).containsExactly("hold [pods]", "release"));
	}

	@Test
	void deliverAfterSyncFalse_doesNotDeferDelivery() {
		this.contextRunner.withPropertyValues("informer.startup.deliver-after-sync=false")
			.run((context) -> assertThat(this.factory.calls()).containsExactly("release"));
	}

	@Test
	void stopAndStart_canBeRepeated() {
		this.contextRunner.run((context) -> {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			CountDownLatch stopped = new CountDownLatch(1);
			registry.stop(stopped::countDown);
			assertThat(stopped.await(5, TimeUnit.SECONDS)).isTrue();
			assertThat(registry.isRunning()).isFalse();
			registry.start();
			assertThat(registry.isRunning()).isTrue();
			assertThat(informer(context, "pods").calls()).containsExactly("start", "stop", "start");
		});
	}

	@Test
	void autoStartupFalse_startsNothingBeforeRegistry() {
		this.contextRunner.withPropertyValues("informer.auto-startup=false").run((context) -> {
			assertThat(informer(context, "pods").calls()).isEmpty();
			awaitNothingKeepsAlive();
			context.getBean(InformerRegistry.class).start();
			assertThat(informer(context, "pods").calls()).containsExactly("start");
		});
	}

	@Test
	void unsyncedRequiredInformer_failsStartAndStopsInformers() {
		customize((informer) -> informer.failing(Phase.BACKING_OFF,
				failure(InformerFailure.Kind.FORBIDDEN, "403: may not list " + informer.name())));
		this.contextRunner.withPropertyValues("informer.startup.timeout=100ms").run((context) -> {
			assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(SyncTimeoutException.class)
				.hasMessageContaining("'pods' (pods/v1) is BACKING_OFF: 403: may not list pods")
				.hasMessageNotContaining("nodes");
			assertThat(this.factory.calls()).containsSubsequence("hold [pods]", "stop 0", "release", "close");
			awaitNothingKeepsAlive();
		});
	}

	@Test
	void startThatFailsByError_stopsEverythingAndCanBeRepeated() {
		this.contextRunner.withPropertyValues("informer.auto-startup=false").run((context) -> {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			informer(context, "pods").onStart(() -> {
				throw new OutOfMemoryError("unable to create native thread");
			});
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(registry::start);
			assertThat(registry.isRunning()).isFalse();
			assertThat(this.factory.calls()).containsSubsequence("hold [pods]", "stop 0", "release");
			informer(context, "pods").onStart(() -> {
			});
			registry.start();
			assertThat(registry.isRunning()).isTrue();
			assertThat(informer(context, "nodes").state().phase()).isEqualTo(Phase.WATCHING);
		});
	}

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
		started.get(20, TimeUnit.SECONDS);
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
			assertThat(creating.await(20, TimeUnit.SECONDS)).isTrue();
			Objects.requireNonNull(starting.get()).close();
			started.get(20, TimeUnit.SECONDS);
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
	void informerThatIsRemovedDuringStart_isSkipped() {
		this.contextRunner.withPropertyValues("informer.auto-startup=false").run((context) -> {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			SharedIndexInformer<V1Pod> temporary = registry.register(V1Pod.class,
					(options) -> options.name("temporary"));
			informer(context, "pods").onStart(() -> registry.remove("temporary"));
			registry.start();
			assertThat(registry.isRunning()).isTrue();
			assertThat(registry.informers()).doesNotContain(temporary);
			assertThat(registry.register(V1Pod.class, (options) -> options.name("temporary"))).isNotSameAs(temporary);
		});
	}

	@Test
	void registrationThatFails_leavesItsNameFree() {
		this.contextRunner.run((context) -> {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			this.factory.customizer((informer) -> informer.onStart(() -> {
				throw new OutOfMemoryError("unable to create native thread");
			}));
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> registry.register(V1Pod.class, (options) -> options.name("temporary")));
			assertThat(registry.findInformer("temporary")).isEmpty();
			this.factory.customizer((informer) -> {
			});
			assertThat(registry.register(V1Pod.class, (options) -> options.name("temporary")).state().phase())
				.isEqualTo(Phase.WATCHING);
		});
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

	@Test
	void informerBeanOfAnotherFactory_isStartedAndStopped() {
		TestInformerFactory other = new TestInformerFactory();
		SharedIndexInformer<V1Pod> informer = other.informer(V1Pod.class, (options) -> options.name("other"));
		this.contextRunner.withBean("other", SharedIndexInformer.class, () -> informer)
			.run((context) -> assertThat(context.getBean(InformerRegistry.class).informers()).contains(informer));
		assertThat(((TestInformer<V1Pod>) informer).calls()).startsWith("start", "stop");
	}

	@Test
	void listenerBeanThatDependsOnInformer_isNotified() {
		this.contextRunner.withBean("nodeListener", NodeListener.class).run((context) -> {
			SharedIndexInformer<?> pods = informer(context, "pods");
			this.factory.listener().onEvent(new InformerEvent.Synced(pods, Duration.ofSeconds(1)));
			assertThat(context.getBean(NodeListener.class).synced).isEqualTo(pods);
		});
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
		await().atMost(Duration.ofSeconds(5)).until(() -> !keepsAlive());
	}

	private static boolean keepsAlive() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals(KEEP_ALIVE) && !thread.isDaemon());
	}

	static class NodeListener implements InformerListener {

		@Nullable SharedIndexInformer<?> synced;

		NodeListener(Lister<V1Node> nodes) {
		}

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.Synced synced) {
				this.synced = synced.informer();
			}
		}

	}

}
