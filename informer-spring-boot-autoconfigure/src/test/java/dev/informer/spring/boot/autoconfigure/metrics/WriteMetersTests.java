/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.stream.Collectors;

import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.observation.InformerObservationAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link WriteMeters}, and that observations record the same timer.
 */
class WriteMetersTests {

	private static final String WRITES = "kubernetes.informer.writes";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
						InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url())
		.withBean(MeterRegistry.class, this::filtered)
		.withBean(ObservationRegistry.class, this::observing);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void writes_areTimedOnce(boolean observed) {
		run(observed, (writer) -> {
			V1ConfigMap created = writer.create(TestObjects.configMap("default", "one"));
			writer.patch(created, (copy) -> copy.putDataItem("color", "blue"));
			writer.patch(created, (copy) -> {
			});
			V1Pod pod = writer.create(TestObjects.pod("default", "web"));
			writer.updateStatus(pod.status(new V1PodStatus().phase("Running")));
			writer.delete(created);
			writer.delete(created);
		});
		assertThat(series()).containsExactlyInAnyOrder(
				"error=none group=core operation=create outcome=success resource=configmaps: 1",
				"error=none group=core operation=patch outcome=success resource=configmaps: 1",
				"error=none group=core operation=patch outcome=unchanged resource=configmaps: 1",
				"error=none group=core operation=create outcome=success resource=pods: 1",
				"error=none group=core operation=update_status outcome=success resource=pods: 1",
				"error=none group=core operation=delete outcome=success resource=configmaps: 1",
				"error=none group=core operation=delete outcome=unchanged resource=configmaps: 1");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void failures_haveTheirOutcome(boolean observed) {
		run(observed, (writer) -> {
			V1ConfigMap created = writer.create(TestObjects.configMap("default", "one"));
			fail(() -> writer.create(TestObjects.configMap("default", "one")));
			this.kubernetes.faults().next(1, Verb.UPDATE, "configmaps", Fault.status(403));
			fail(() -> writer.update(created.putDataItem("color", "blue")));
			this.kubernetes.faults().next(1, Verb.DELETE, "configmaps", Fault.status(400));
			fail(() -> writer.delete(created));
			this.kubernetes.faults().always(Verb.DELETE, "configmaps", Fault.status(429));
			fail(() -> writer.delete(created));
		});
		assertThat(series()).containsExactlyInAnyOrder(
				"error=none group=core operation=create outcome=success resource=configmaps: 1",
				"error=ObjectWriteException group=core operation=create outcome=conflict resource=configmaps: 1",
				"error=ObjectWriteException group=core operation=update outcome=forbidden resource=configmaps: 1",
				"error=ObjectWriteException group=core operation=delete outcome=error resource=configmaps: 1",
				"error=ObjectWriteException group=core operation=delete outcome=throttled resource=configmaps: 1");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void applyForAnOwnerThatMustNotHaveTheObject_isNoConflict(boolean observed) {
		run(observed, (writer) -> {
			V1ConfigMap owner = writer.create(TestObjects.configMap("default", "one"));
			V1ConfigMap other = writer.create(TestObjects.configMap("default", "two"));
			writer.create(TestObjects.configMap("default", "free"));
			writer.apply(TestObjects.configMap("default", "owned"), owner);
			fail(() -> writer.apply(TestObjects.configMap("default", "owned"), other));
			fail(() -> writer.apply(TestObjects.configMap("default", "free"), other));
		});
		assertThat(series())
			.contains("error=ObjectWriteException group=core operation=apply outcome=not_owned resource=configmaps: 2")
			.noneMatch((series) -> series.contains("outcome=conflict"));
	}

	@Test
	void invalidArgument_isNoWrite() {
		run(false, (writer) -> assertThatIllegalArgumentException().isThrownBy(() -> writer.create(new V1ConfigMap())));
		assertThat(series()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void timer_hasDescriptionAndBuckets(boolean observed) {
		run(observed, (writer) -> writer.create(TestObjects.configMap("default", "one")));
		Timer timer = this.meters.get(WRITES).timer();
		assertThat(timer.getId().getDescription()).isEqualTo("Time of writes");
		assertThat(timer.takeSnapshot().histogramCounts()).isNotEmpty();
	}

	@Test
	void withoutObservationOnTheClassPath_writesAreTimed() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
			.withPropertyValues("informer.observation-enabled=true")
			.run((context) -> {
				context.getBean(ObjectWriter.class).create(TestObjects.configMap("default", "one"));
				assertThat(this.meters.get(WRITES).timer().count()).isEqualTo(1);
			});
	}

	private void run(boolean observed, Writes writes) {
		this.runner.withPropertyValues("informer.observation-enabled=" + observed)
			.run((context) -> writes.write(context.getBean(ObjectWriter.class)));
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
		return this.meters.find(WRITES)
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

	private static void fail(ThrowingCallable write) {
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(write);
	}

	private interface Writes {

		void write(ObjectWriter writer) throws ObjectWriteException;

	}

}
