/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.observation;

import dev.informer.spring.InformerReconciler;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.observation.DefaultReconcileObservationConvention;
import dev.informer.spring.observation.InformerObservation;
import dev.informer.spring.observation.ObservedReconcilers;
import dev.informer.spring.observation.ReconcileObservationContext;
import dev.informer.spring.observation.ReconcileObservationConvention;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Role;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.informer.test.support.Await.await;
import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObservedReconcilers}.
 */
@Timeout(120)
class ObservedReconcilersTests {

	private static final String CALLS = "kubernetes.informer.reconciler.calls";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestObservationRegistry observations = TestObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(), "informer.observation-enabled=true")
		.withBean(ObservationRegistry.class, () -> this.observations)
		.withBean(Copies.class);

	@Test
	void call_isObserved() {
		this.kubernetes.create(TestObjects.configMap("default", "one"));
		this.runner.run((context) -> await()
			.untilAsserted(() -> assertThat(this.observations).hasObservationWithNameEqualTo(CALLS)
				.that()
				.hasBeenStopped()
				.hasContextualNameEqualTo("reconcile configmaps")
				.hasLowCardinalityKeyValue("reconciler", "copies")
				.hasLowCardinalityKeyValue("cleanup", "false")
				.hasLowCardinalityKeyValue("outcome", "success")
				.hasHighCardinalityKeyValue("k8s.namespace.name", "default")
				.hasHighCardinalityKeyValue("k8s.object.name", "one")
				.hasOnlyKeys("reconciler", "cleanup", "outcome", "k8s.namespace.name", "k8s.object.name")
				.doesNotHaveError()));
		assertThat(InformerObservation.RECONCILE.getLowCardinalityKeyNames()).hasSize(3);
		assertThat(InformerObservation.RECONCILE.getHighCardinalityKeyNames()).hasSize(2);
	}

	@Test
	void nameOfAnObject_isInOneLine() {
		this.kubernetes.create(new V1Role().apiVersion("rbac.authorization.k8s.io/v1")
			.kind("Role")
			.metadata(new V1ObjectMeta().namespace("default").name("one\u2028\u202etwo")));
		this.runner.withBean(Roles.class)
			.run((context) -> await()
				.untilAsserted(() -> assertThat(this.observations).hasObservationWithNameEqualTo(CALLS)
					.that()
					.hasHighCardinalityKeyValue("k8s.object.name", "one two")));
	}

	@Test
	void failedCall_isAnError() {
		this.kubernetes.create(TestObjects.configMap("default", "failing"));
		this.runner.run((context) -> await()
			.untilAsserted(() -> assertThat(this.observations).hasObservationWithNameEqualTo(CALLS)
				.that()
				.hasBeenStopped()
				.hasLowCardinalityKeyValue("outcome", "error")
				.hasError()));
	}

	@Test
	void conventionBean_isUsed() {
		this.kubernetes.create(TestObjects.configMap("default", "one"));
		this.runner.withBean(ReconcileObservationConvention.class, TeamConvention::new)
			.run((context) -> await()
				.untilAsserted(() -> assertThat(this.observations).hasObservationWithNameEqualTo(CALLS)
					.that()
					.hasLowCardinalityKeyValue("team", "shop")));
	}

	@Test
	void observations_areDisabledByDefault() {
		this.runner.withPropertyValues("informer.observation-enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservedReconcilers.class));
	}

	static class TeamConvention extends DefaultReconcileObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
			return super.getLowCardinalityKeyValues(context).and("team", "shop");
		}

	}

	static class Roles {

		@InformerReconciler
		void reconcile(V1Role role) {
		}

	}

	static class Copies {

		@InformerReconciler(id = "copies")
		void reconcile(V1ConfigMap configMap) {
			if ("failing".equals(configMap.getMetadata().getName())) {
				throw new IllegalStateException("for the test");
			}
		}

	}

}
