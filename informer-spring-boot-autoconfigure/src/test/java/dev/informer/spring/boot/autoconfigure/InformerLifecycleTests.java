/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
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
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

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
		// before the handlers are added, and when the informers start
		this.contextRunner.run(
				(context) -> assertThat(this.factory.calls()).containsExactly("hold [pods]", "hold [pods]", "release"));
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
			assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
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
