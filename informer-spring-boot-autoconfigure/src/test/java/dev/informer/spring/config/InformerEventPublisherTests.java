/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.spring.InformerApplicationEvent;
import dev.informer.spring.InformerRecoveredEvent;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InformerStaleEvent;
import dev.informer.spring.InformerSyncedEvent;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerEventPublisher}.
 */
class InformerEventPublisherTests {

	private static final String THREAD = "informer-events";

	private final Events events = new Events();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(Events.class, () -> this.events)
		.withPropertyValues("informer.resources.pods.required=true");

	private EmbeddedKubernetes kubernetes;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start((options) -> options.bookmarkInterval(Duration.ofMillis(100)));
		pod("one");
	}

	@AfterEach
	void stop() {
		this.kubernetes.close();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain(THREAD));
	}

	@Test
	void sync_isPublishedOncePerStart() {
		onTheServer().run((context) -> {
			await().untilAsserted(() -> assertThat(this.events.all).singleElement()
				.isInstanceOfSatisfying(InformerSyncedEvent.class, (event) -> {
					assertThat(event.informer()).isEqualTo("pods");
					assertThat(event.since()).isBeforeOrEqualTo(Instant.now());
					assertThat(event.reason()).startsWith("synced pods/v1: 1 objects after ");
				}));
			assertThat(this.events.threads).containsExactly(THREAD);
			context.getBean(InformerRegistry.class).stop();
			context.getBean(InformerRegistry.class).start();
			await().untilAsserted(() -> assertThat(this.events.all).hasSize(2)
				.allSatisfy((event) -> assertThat(event).isInstanceOf(InformerSyncedEvent.class)));
		});
	}

	@Test
	void unreachableServer_publishesStaleAndRecoveredOnce() {
		onTheServer().run((context) -> {
			await().untilAsserted(() -> assertThat(this.events.all).hasSize(1));
			Instant before = Instant.now();
			this.kubernetes.faults().refuseConnections();
			await().untilAsserted(() -> assertThat(this.events.stale).singleElement().satisfies((event) -> {
				assertThat(event.informer()).isEqualTo("pods");
				assertThat(event.since()).isBetween(before, Instant.now());
				assertThat(event.reason()).contains("pods");
			}));
			Instant failedBefore = failureTime(context);
			await().until(() -> failureTime(context).isAfter(failedBefore));
			this.kubernetes.faults().acceptConnections();
			await().untilAsserted(() -> assertThat(this.events.all.get(this.events.all.size() - 1))
				.isInstanceOfSatisfying(InformerRecoveredEvent.class, (event) -> {
					assertThat(event.informer()).isEqualTo("pods");
					assertThat(event.reason()).contains("pods/v1")
						.contains(this.events.stale.get(0).since().toString());
				}));
			assertThat(this.events.all).hasSize(3);
		});
	}

	@Test
	void slowListener_doesNotBlockInformer() {
		CountDownLatch released = new CountDownLatch(1);
		this.events.action = (event) -> awaitUninterrupted(released);
		onTheServer().run((context) -> {
			await().untilAsserted(() -> assertThat(this.events.all).hasSize(1));
			Lister<?> pods = informer(context).lister();
			this.kubernetes.faults().refuseConnections();
			await().until(() -> informer(context).state().failure() != null);
			this.kubernetes.faults().acceptConnections();
			pod("two");
			await().untilAsserted(() -> assertThat(pods.size()).isEqualTo(2));
			await().until(() -> informer(context).state().failure() == null);
			released.countDown();
		});
	}

	@Test
	void listenerThatClosesContext_isNotInterrupted() {
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		CountDownLatch started = new CountDownLatch(1);
		onTheServer().run((context) -> {
			this.events.action = (event) -> {
				awaitUninterrupted(started); // a stop would fail a start that is running
				((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();
				interrupted.add(Thread.currentThread().isInterrupted());
			};
			context.getBean(InformerRegistry.class).stop();
			context.getBean(InformerRegistry.class).start();
			started.countDown();
			await().untilAsserted(() -> assertThat(interrupted).containsExactly(false));
		});
	}

	@Test
	void throwingListener_receivesNextEvent() {
		this.events.action = (event) -> {
			throw new IllegalStateException("for the test");
		};
		onTheServer().run((context) -> {
			await().untilAsserted(() -> assertThat(this.events.all).hasSize(1));
			this.kubernetes.faults().refuseConnections();
			await().untilAsserted(() -> assertThat(this.events.stale).hasSize(1));
			this.kubernetes.faults().acceptConnections();
			await().untilAsserted(() -> assertThat(this.events.all).hasSize(3));
		});
	}

	@Test
	void failedInformer_isStaleImmediatelyUnlessDormantAndNotRequired() {
		TestInformerFactory factory = new TestInformerFactory();
		this.contextRunner.withBean(InformerFactory.class, () -> factory)
			.withPropertyValues("informer.resources.nodes.required=false", "informer.health.failing-threshold=1h")
			.run((context) -> {
				change(context, "nodes", failing(Phase.DORMANT, TimeSource.SYSTEM.moment().minus(Duration.ofHours(2))));
				change(context, "pods", failing(Phase.BACKING_OFF, TimeSource.SYSTEM.moment()));
				change(context, "pods", failing(Phase.FAILED, TimeSource.SYSTEM.moment()));
				await().untilAsserted(() -> assertThat(this.events.stale).extracting(InformerStaleEvent::informer)
					.containsExactly("pods"));
				change(context, "pods", new InformerState(Phase.STOPPED, TimeSource.SYSTEM.moment(), null, null, null));
				change(context, "pods", new InformerState(Phase.LISTING, TimeSource.SYSTEM.moment(), null, null, null));
				change(context, "pods",
						new InformerState(Phase.WATCHING, TimeSource.SYSTEM.moment(), null, null, null));
				change(context, "nodes", failing(Phase.FAILED, TimeSource.SYSTEM.moment()));
				await().untilAsserted(
						() -> assertThat(this.events.all).extracting((event) -> event.getClass().getSimpleName())
							.containsExactly("InformerStaleEvent", "InformerRecoveredEvent", "InformerStaleEvent"));
				assertThat(this.events.stale).extracting(InformerStaleEvent::informer).containsExactly("pods", "nodes");
			});
	}

	private ApplicationContextRunner onTheServer() {
		return this.contextRunner.withPropertyValues("informer.connection.url=" + this.kubernetes.url(),
				"informer.health.failing-threshold=2s", "informer.defaults.backoff.delay=20ms",
				"informer.defaults.backoff.max-delay=50ms");
	}

	private void pod(String name) {
		this.kubernetes.create(TestObjects.pod("default", name));
	}

	private static SharedIndexInformer<V1Pod> informer(ApplicationContext context) {
		return context.getBean(InformerRegistry.class).informer("pods", V1Pod.class);
	}

	private static Instant failureTime(ApplicationContext context) {
		InformerFailure failure = informer(context).state().failure();
		return (failure != null) ? failure.time() : Instant.MIN;
	}

	private static InformerState failing(Phase phase, Moment since) {
		return new InformerState(phase, since,
				new InformerFailure(Kind.NOT_FOUND, "404: for the test", since.time(), new IllegalStateException()),
				since, null);
	}

	private static void change(ApplicationContext context, String name, InformerState state) {
		TestInformer<?> informer = context.getBean(name + "Informer", TestInformer.class).withState(state, true);
		context.getBean(InformerEventPublisher.class).onEvent(new InformerEvent.StateChanged(informer, "", state));
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	static class Events {

		final List<InformerApplicationEvent> all = new CopyOnWriteArrayList<>();

		final List<InformerStaleEvent> stale = new CopyOnWriteArrayList<>();

		final List<String> threads = new CopyOnWriteArrayList<>();

		volatile @Nullable Consumer<InformerApplicationEvent> action;

		@EventListener
		void stale(InformerStaleEvent event) {
			this.stale.add(event);
		}

		@EventListener
		void any(InformerApplicationEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.all.add(event);
			Consumer<InformerApplicationEvent> todo = this.action;
			if (todo != null) {
				todo.accept(event);
			}
		}

	}

}
