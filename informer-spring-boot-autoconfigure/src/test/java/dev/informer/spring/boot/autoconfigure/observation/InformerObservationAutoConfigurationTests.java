/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.observation;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.informer.spring.observation.DefaultInformerObservationConvention;
import dev.informer.spring.observation.InformerObservation;
import dev.informer.spring.observation.InformerObservationContext;
import dev.informer.spring.observation.InformerObservationConvention;
import dev.informer.spring.observation.ObservedHandlers;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerObservationAutoConfiguration}.
 */
class InformerObservationAutoConfigurationTests {

	private static final String CALLS = "kubernetes.informer.handler.calls";

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final TestObservationRegistry observations = TestObservationRegistry.create();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
						InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withBean(MeterRegistry.class, () -> this.meters)
		.withBean(Audit.class);

	@AutoClose
	private EmbeddedKubernetes kubernetes;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start();
		pod("one");
	}

	@Test
	void invocations_areObservedAndInitialListIsTimed() {
		observed(this.observations).run((context) -> {
			awaitDelivered(context, "one");
			pod("two");
			awaitDelivered(context, "two");
			awaitMeters().untilAsserted(() -> assertThat(this.observations).hasNumberOfObservationsEqualTo(1)
				.hasObservationWithNameEqualTo(CALLS)
				.that()
				.hasBeenStopped()
				.hasContextualNameEqualTo("audit added")
				.hasLowCardinalityKeyValue("informer", "pods")
				.hasLowCardinalityKeyValue("resource", "pods")
				.hasLowCardinalityKeyValue("group", "core")
				.hasLowCardinalityKeyValue("version", "v1")
				.hasLowCardinalityKeyValue("handler", "audit")
				.hasLowCardinalityKeyValue("event", "added")
				.hasLowCardinalityKeyValue("outcome", "success")
				.hasHighCardinalityKeyValue("k8s.namespace.name", "default")
				.hasHighCardinalityKeyValue("k8s.object.name", "two")
				.hasOnlyKeys("informer", "resource", "group", "version", "handler", "event", "outcome",
						"k8s.namespace.name", "k8s.object.name", "k8s.object.resource_version")
				.doesNotHaveError());
			assertThat(this.meters.get(CALLS).timer().count()).isEqualTo(1);
			assertThat(InformerObservation.HANDLER_CALL.getLowCardinalityKeyNames()).hasSize(7);
		});
	}

	@Test
	void failedInvocations_areErrorsAndEachAttemptIsObserved() {
		observed(this.observations).withPropertyValues("informer.handlers.audit.retry.max-retries=1").run((context) -> {
			awaitDelivered(context, "one");
			pod("bad");
			awaitMeters().untilAsserted(() -> {
				assertThat(this.observations).hasNumberOfObservationsEqualTo(2);
				assertThat(this.observations)
					.hasAnObservation((observation) -> observation.hasLowCardinalityKeyValue("outcome", "error")
						.hasError(Audit.FAILURE));
			});
			awaitMeters().untilAsserted(
					() -> assertThat(this.meters.get("kubernetes.informer.handler.retries").counter().count())
						.isEqualTo(1));
		});
	}

	@Test
	void timerOfObservations_hasKeysOfTimerOfInitialListAndIsRemovedWithHandler() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
		observed(registry).withPropertyValues("informer.handlers.audit.retry.max-retries=0").run((context) -> {
			awaitDelivered(context, "one");
			pod("two");
			pod("bad");
			awaitMeters().untilAsserted(() -> {
				assertThat(this.meters.get(CALLS).tag("error", "none").timers()).extracting((timer) -> timer.count())
					.containsExactly(2L);
				assertThat(this.meters.get(CALLS)
					.tags("outcome", "error", "error", "IllegalStateException")
					.timer()
					.count()).isEqualTo(1);
			});
			assertThat(keys(CALLS)).singleElement();
			context.getBean(InformerRegistry.class).findHandler("audit").orElseThrow().remove();
			assertThat(this.meters.getMeters()).noneMatch((meter) -> meter.getId().getName().startsWith(CALLS));
		});
	}

	@Test
	void conventionBean_isUsed() {
		observed(this.observations).withBean(InformerObservationConvention.class, TeamConvention::new)
			.run((context) -> {
				awaitDelivered(context, "one");
				pod("two");
				awaitMeters().untilAsserted(() -> assertThat(this.observations).hasObservationWithNameEqualTo(CALLS)
					.that()
					.hasLowCardinalityKeyValue("team", "shop"));
			});
	}

	@Test
	void observations_areDisabledByDefault() {
		this.contextRunner.withBean(ObservationRegistry.class, () -> this.observations)
			.withPropertyValues("informer.auto-startup=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservedHandlers.class));
	}

	@Test
	void withoutObservationRegistry_invocationsAreTimed() {
		this.contextRunner
			.withPropertyValues("informer.observation-enabled=true", "informer.connection.url=" + this.kubernetes.url())
			.run((context) -> {
				awaitDelivered(context, "one");
				pod("two");
				awaitMeters().untilAsserted(() -> assertThat(this.meters.get(CALLS).timer().count()).isEqualTo(2));
			});
	}

	@Test
	void withoutObservationOnTheClassPath_everythingElseWorks() {
		observed(this.observations).withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("informerObservedHandlers");
				awaitDelivered(context, "one");
				pod("two");
				awaitMeters().untilAsserted(() -> assertThat(this.meters.get(CALLS).timer().count()).isEqualTo(2));
			});
	}

	private ApplicationContextRunner observed(ObservationRegistry registry) {
		return this.contextRunner.withBean(ObservationRegistry.class, () -> registry)
			.withPropertyValues("informer.observation-enabled=true", "informer.handlers.audit.retry.delay=1ms",
					"informer.connection.url=" + this.kubernetes.url());
	}

	private Set<List<String>> keys(String name) {
		return this.meters.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().equals(name))
			.map((id) -> id.getTags().stream().map(Tag::getKey).sorted().toList())
			.collect(Collectors.toSet());
	}

	private void pod(String name) {
		this.kubernetes.create(TestObjects.pod("default", name));
	}

	private static void awaitDelivered(ApplicationContext context, String name) {
		await().until(() -> context.getBean(Audit.class).delivered.contains(name));
	}

	private static ConditionFactory awaitMeters() {
		return await().ignoreException(MeterNotFoundException.class);
	}

	static class Audit {

		static final IllegalStateException FAILURE = new IllegalStateException("for the test");

		final List<String> delivered = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "audit")
		void handle(ResourceEvent<V1Pod> event) {
			String name = event.object().getMetadata().getName();
			if (name.equals("bad")) {
				throw FAILURE;
			}
			this.delivered.add(name);
		}

	}

	static class TeamConvention extends DefaultInformerObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(InformerObservationContext context) {
			return super.getLowCardinalityKeyValues(context).and("team", "shop");
		}

	}

}
