/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.observation;

import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.observation.DefaultWriteObservationConvention;
import dev.informer.spring.observation.InformerObservation;
import dev.informer.spring.observation.ObservedWrites;
import dev.informer.spring.observation.WriteObservationContext;
import dev.informer.spring.observation.WriteObservationConvention;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ObservedWrites}.
 */
class ObservedWritesTests {

	private static final String WRITES = "kubernetes.informer.writes";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestObservationRegistry observations = TestObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(), "informer.observation-enabled=true")
		.withBean(ObservationRegistry.class, () -> this.observations);

	@Test
	void write_isObserved() {
		this.runner.run((context) -> {
			context.getBean(ObjectWriter.class).create(TestObjects.configMap("default", "one"));
			assertThat(this.observations).hasNumberOfObservationsEqualTo(1)
				.hasObservationWithNameEqualTo(WRITES)
				.that()
				.hasBeenStopped()
				.hasContextualNameEqualTo("create configmaps")
				.hasLowCardinalityKeyValue("operation", "create")
				.hasLowCardinalityKeyValue("resource", "configmaps")
				.hasLowCardinalityKeyValue("group", "core")
				.hasLowCardinalityKeyValue("outcome", "success")
				.hasHighCardinalityKeyValue("k8s.namespace.name", "default")
				.hasHighCardinalityKeyValue("k8s.object.name", "one")
				.hasOnlyKeys("operation", "resource", "group", "outcome", "k8s.namespace.name", "k8s.object.name")
				.doesNotHaveError();
			assertThat(InformerObservation.WRITE.getLowCardinalityKeyNames()).hasSize(4);
			assertThat(InformerObservation.WRITE.getHighCardinalityKeyNames()).hasSize(2);
		});
	}

	@Test
	void failedWrite_isAnError() {
		this.kubernetes.faults().always(Verb.CREATE, "configmaps", Fault.status(403));
		this.runner.run((context) -> {
			assertThatExceptionOfType(ObjectWriteException.class)
				.isThrownBy(() -> context.getBean(ObjectWriter.class).create(TestObjects.configMap("default", "one")));
			assertThat(this.observations).hasObservationWithNameEqualTo(WRITES)
				.that()
				.hasBeenStopped()
				.hasLowCardinalityKeyValue("outcome", "forbidden")
				.hasError();
		});
	}

	@Test
	void generatedName_isNoKey() {
		this.runner.run((context) -> {
			context.getBean(ObjectWriter.class)
				.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").generateName("one-")));
			assertThat(this.observations).hasObservationWithNameEqualTo(WRITES)
				.that()
				.hasOnlyKeys("operation", "resource", "group", "outcome", "k8s.namespace.name");
		});
	}

	@Test
	void conventionBean_isUsed() {
		this.runner.withBean(WriteObservationConvention.class, TeamConvention::new).run((context) -> {
			context.getBean(ObjectWriter.class).create(TestObjects.configMap("default", "one"));
			assertThat(this.observations).hasObservationWithNameEqualTo(WRITES)
				.that()
				.hasLowCardinalityKeyValue("team", "shop");
		});
	}

	@Test
	void observations_areDisabledByDefault() {
		this.runner.withPropertyValues("informer.observation-enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservedWrites.class));
	}

	static class TeamConvention extends DefaultWriteObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(WriteObservationContext context) {
			return super.getLowCardinalityKeyValues(context).and("team", "shop");
		}

	}

}
