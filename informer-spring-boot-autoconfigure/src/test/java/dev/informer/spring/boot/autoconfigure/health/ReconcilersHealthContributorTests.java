/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import dev.informer.reconcilers.ReconcilerRegistration.Running;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReconcilersHealthContributor}.
 */
class ReconcilersHealthContributorTests {

	private final Counts counts = new Counts(1, 1, 0, 0, 0, 1, 0, 0);

	private final ReconcilerRegistration registration = mock();

	private final Reconcilers reconcilers = mock();

	private final SharedIndexInformer<?> configMaps = informer(V1ConfigMap.class);

	private final SharedIndexInformer<?> secrets = informer(V1Secret.class);

	@BeforeEach
	void register() {
		given(this.registration.name()).willReturn("copies");
		given(this.registration.informers()).willReturn(List.of(this.configMaps, this.secrets));
		given(this.registration.counts()).willReturn(this.counts);
		given(this.registration.calls()).willReturn(List.of(new Running("default/a", Duration.ofMinutes(2)),
				new Running("default/b", Duration.ofSeconds(30))));
		given(this.reconcilers.registrations()).willReturn(List.of(this.registration));
		given(this.reconcilers.find("copies")).willReturn(Optional.of(this.registration));
	}

	@Test
	void unsyncedInformer_isUnknown() {
		this.configMaps.start();
		Health health = health(null);
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsEntry("waitingFor", List.of("secrets"))
			.containsEntry("informers", List.of("configmaps", "secrets"));
	}

	@Test
	void failingAndLongCalls_areUpWithoutAThreshold() {
		this.configMaps.start();
		this.secrets.start();
		Health health = health(null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("objects", this.counts)
			.containsEntry("paused", false)
			.doesNotContainKeys("waitingFor", "stuckCalls");
	}

	@Test
	void callThatExceedsTheThreshold_isDown() {
		this.configMaps.start();
		this.secrets.start();
		Health health = health(Duration.ofMinutes(1));
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).extractingByKey("stuckCalls")
			.hasToString("[StuckCall[object=default/a, busy=PT2M]]");
		assertThat(health(Duration.ofMinutes(3)).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void contributors_areThoseOfTheReconcilers() {
		ReconcilersHealthContributor contributor = new ReconcilersHealthContributor(this.reconcilers, null);
		assertThat(contributor.stream()).singleElement().satisfies((entry) -> {
			assertThat(entry.name()).isEqualTo("copies");
			assertThat(entry.contributor()).isInstanceOf(HealthIndicator.class);
		});
		assertThat(contributor.getContributor("none")).isNull();
	}

	private Health health(@Nullable Duration threshold) {
		HealthIndicator indicator = (HealthIndicator) new ReconcilersHealthContributor(this.reconcilers, threshold)
			.getContributor("copies");
		assertThat(indicator).isNotNull();
		Health health = indicator.health();
		assertThat(health).isNotNull();
		return health;
	}

	private static <T extends KubernetesObject> SharedIndexInformer<T> informer(Class<T> type) {
		return new TestInformerFactory().informer(ResourceType.of(type), (options) -> {
		});
	}

}
