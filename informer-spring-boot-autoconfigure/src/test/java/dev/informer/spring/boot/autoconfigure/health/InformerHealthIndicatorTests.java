/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceType;
import dev.informer.spring.support.TestInformer;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerHealthIndicator}.
 */
class InformerHealthIndicatorTests {

	private static final Instant NOW = Instant.parse("2020-01-01T12:00:00Z");

	@ParameterizedTest
	@CsvSource({ "WATCHING,true,,UP", "LISTING,true,,UP", "BACKING_OFF,true,30,UP", "BACKING_OFF,true,61,DOWN",
			"LISTING,true,61,DOWN", "DORMANT,true,61,DOWN", "DORMANT,false,61,UNKNOWN", "FAILED,true,0,DOWN",
			"FAILED,false,0,DOWN", "STOPPED,true,,UNKNOWN", "NOT_STARTED,true,,UNKNOWN" })
	void status_followsPhaseAndFailureDuration(Phase phase, boolean required, @Nullable Integer failingFor,
			String status) {
		assertThat(health(phase, required, failingFor).getStatus()).isEqualTo(new Status(status));
	}

	@Test
	void details_containReasonTimeAndNextAttempt() {
		assertThat(health(Phase.BACKING_OFF, true, 61).getDetails()).containsEntry("resource", "pods/v1")
			.containsEntry("phase", Phase.BACKING_OFF)
			.containsEntry("synced", false)
			.containsEntry("reason", "403: may not list pods")
			.containsEntry("failingSince", NOW.minusSeconds(61))
			.containsEntry("nextAttempt", NOW.plusSeconds(1));
	}

	private static Health health(Phase phase, boolean required, @Nullable Integer failingFor) {
		InformerFailure failure = new InformerFailure(InformerFailure.Kind.FORBIDDEN, "403: may not list pods", NOW,
				new IllegalStateException());
		InformerState state = (failingFor != null)
				? new InformerState(phase, NOW, failure, NOW.minusSeconds(failingFor), NOW.plusSeconds(1))
				: new InformerState(phase, NOW, null, null, null);
		TestInformer<V1Pod> informer = new TestInformer<>(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, true)
			.withState(state, false);
		return new InformerHealthIndicator(informer, required, Duration.ofMinutes(1), Clock.fixed(NOW, ZoneOffset.UTC))
			.health();
	}

}
