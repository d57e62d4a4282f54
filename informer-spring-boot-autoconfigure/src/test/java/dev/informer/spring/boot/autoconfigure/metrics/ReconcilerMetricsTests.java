/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

import dev.informer.RetryLaterException;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.observation.InformerObservationAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReconcilerMetrics}, and that observations record the same timer.
 */
@Timeout(120)
class ReconcilerMetricsTests {

	private static final String CALLS = "kubernetes.informer.reconciler.calls";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
						InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url())
		.withBean(MeterRegistry.class, this::filtered)
		.withBean(ObservationRegistry.class, this::observing)
		.withBean(Copies.class);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void calls_areTimedOnce_withTheirOutcome(boolean observed) {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.kubernetes.create(TestObjects.configMap("default", "failing"));
		this.kubernetes.create(TestObjects.configMap("default", "later"));
		this.runner.withPropertyValues("informer.observation-enabled=" + observed).run((context) -> {
			context.getBean(Copies.class).mayEnd.countDown();
			await().untilAsserted(() -> assertThat(series()).containsExactlyInAnyOrder(
					"cleanup=false error=none outcome=success reconciler=copies: 1",
					"cleanup=false error=IllegalStateException outcome=error reconciler=copies: 1",
					"cleanup=false error=RetryLaterException outcome=later reconciler=copies: 1"));
			Timer timer = this.meters.get(CALLS).timers().iterator().next();
			assertThat(timer.getId().getDescription()).isEqualTo("Time of calls of reconcilers");
			assertThat(timer.takeSnapshot().histogramCounts()).isNotEmpty();
			await().until(() -> objects("retrying") == 1 && objects("scheduled") == 1);
		});
	}

	@Test
	void gauges_existBeforeTheFirstCall() {
		this.runner.withPropertyValues("informer.auto-startup=false").run((context) -> {
			assertThat(objects("active")).isZero();
			assertThat(gauge("paused")).isZero();
			assertThat(gauge("looping")).isZero();
			context.getBean(Reconcilers.class).registrations().get(0).pause("test");
			assertThat(gauge("paused")).isEqualTo(1);
		});
	}

	@Test
	void runningCall_isActive() {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.runner.run((context) -> {
			await().until(() -> objects("active") == 1);
			await().until(() -> gauge("active.longest") > 0);
			context.getBean(Copies.class).mayEnd.countDown();
			await().until(() -> objects("active") == 0);
			await().until(() -> gauge("active.longest") == 0);
		});
	}

	@Test
	void reconcilerThatIsAddedLater_hasMetersFromItsFirstCallOn() {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.runner.run((context) -> {
			context.getBean(Copies.class).mayEnd.countDown();
			context.getBean(Reconcilers.class)
				.add(context.getBean(InformerRegistry.class).informer("configmaps", V1ConfigMap.class),
						(primary, call) -> null, (options) -> options.name("late"));
			await().until(() -> this.meters.find(CALLS).tag("reconciler", "late").timer() != null);
			assertThat(this.meters.find("kubernetes.informer.reconciler.paused").tag("reconciler", "late").gauge())
				.isNotNull();
		});
	}

	@Test
	void withoutObservationOnTheClassPath_callsAreTimed() {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
			.withPropertyValues("informer.observation-enabled=true")
			.run((context) -> {
				context.getBean(Copies.class).mayEnd.countDown();
				await().until(() -> this.meters.find(CALLS).timer() != null);
			});
	}

	private double objects(String state) {
		return this.meters.get("kubernetes.informer.reconciler.objects").tag("state", state).gauge().value();
	}

	private double gauge(String name) {
		return this.meters.get("kubernetes.informer.reconciler." + name).tag("reconciler", "copies").gauge().value();
	}

	private SimpleMeterRegistry filtered() {
		this.meters.config().meterFilter(new InformerMeterFilter());
		return this.meters;
	}

	private ObservationRegistry observing() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
		return registry;
	}

	private Iterable<String> series() {
		return this.meters.find(CALLS)
			.timers()
			.stream()
			.map((timer) -> timer.getId()
				.getTags()
				.stream()
				.map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
				.sorted()
				.collect(Collectors.joining(" ")) + ": " + timer.count())
			.toList();
	}

	static class Copies {

		final CountDownLatch mayEnd = new CountDownLatch(1);

		@InformerReconciler(id = "copies", retry = @Retry(delay = "1h", maxDelay = "1h"))
		void reconcile(V1ConfigMap configMap) throws InterruptedException {
			this.mayEnd.await();
			switch (String.valueOf(configMap.getMetadata().getName())) {
				case "failing" -> throw new IllegalStateException("for the test");
				case "later" -> throw new RetryLaterException("for the test");
				default -> {
				}
			}
		}

	}

}
