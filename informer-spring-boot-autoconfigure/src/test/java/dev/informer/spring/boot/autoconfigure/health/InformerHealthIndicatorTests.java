/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;

import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent;
import dev.informer.client.Moment;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.spring.support.TestInformer;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerHealthIndicator}.
 */
class InformerHealthIndicatorTests {

	private static final Instant NOW = Instant.parse("2020-01-01T12:00:00Z");

	private static final TimeSource TIME = new FixedTime();

	private static final Duration THRESHOLD = Duration.ofMinutes(1);

	@ParameterizedTest
	@CsvSource({ "WATCHING,true,,UP", "LISTING,true,,UP", "BACKING_OFF,true,30,UP", "BACKING_OFF,true,60,DOWN",
			"LISTING,true,61,DOWN", "DORMANT,true,61,DOWN", "DORMANT,false,61,UNKNOWN", "BACKING_OFF,false,61,DOWN",
			"FAILED,true,0,DOWN", "FAILED,false,0,DOWN", "STOPPED,true,,UNKNOWN", "STOPPED,true,61,UNKNOWN",
			"NOT_STARTED,true,,UNKNOWN" })
	void status_followsPhaseAndFailureDuration(Phase phase, boolean required, @Nullable Integer failingFor,
			String status) {
		assertThat(health(required, state(phase, failingFor)).getStatus()).isEqualTo(new Status(status));
	}

	@Test
	void watchThatHasProvedNothing_staysDown() {
		assertThat(health(true, state(Phase.WATCHING, 30)).getStatus()).isEqualTo(Status.UP);
		assertThat(health(true, state(Phase.WATCHING, 61)).getStatus()).isEqualTo(Status.DOWN);
	}

	@ParameterizedTest
	@ValueSource(ints = { -2, 2 })
	void clockThatWasSetInAnOutage_doesNotChangeTheStatus(int hours) {
		Instant shifted = NOW.plus(hours, ChronoUnit.HOURS);
		InformerState before = state(Phase.BACKING_OFF, 59);
		InformerState after = state(Phase.BACKING_OFF, 60);
		assertThat(health(true, failingSince(before, shifted)).getStatus()).isEqualTo(Status.UP);
		assertThat(health(true, failingSince(after, shifted)).getStatus()).isEqualTo(Status.DOWN);
		InformerState listing = new InformerState(Phase.LISTING, new Moment(shifted, ago(61).nanoTime()), null, null,
				null);
		assertThat(health(true, listing).getStatus()).isEqualTo(Status.DOWN);
	}

	private static InformerState failingSince(InformerState state, Instant time) {
		Moment since = Objects.requireNonNull(state.failingSince());
		return new InformerState(state.phase(), state.since(), state.failure(), new Moment(time, since.nanoTime()),
				state.nextAttempt());
	}

	@ParameterizedTest
	@EnumSource
	void eachPhaseWithoutWatch_isDownAfterThresholdEvenWithoutFailure(Phase phase) {
		Status status = switch (phase) {
			case WATCHING -> Status.UP;
			case NOT_STARTED, STOPPED -> Status.UNKNOWN;
			default -> Status.DOWN;
		};
		Health health = health(true, new InformerState(phase, ago(61), null, null, null));
		assertThat(health.getStatus()).isEqualTo(status);
		if (status == Status.DOWN) {
			assertThat(health.getDetails()).containsEntry("failingSince", NOW.minusSeconds(61))
				.containsEntry("reason", "No watch is open, the phase is " + phase);
		}
	}

	@Test
	void watchWithoutAnEventYet_hasReasonThatFitsItsPhase() {
		Health health = health(true, new InformerState(Phase.WATCHING, ago(0), null, ago(1), null));
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("reason",
				"The watch was opened a moment ago and has received nothing yet");
	}

	@Test
	void noObjectCanBeDecoded_isUnknownWithReasonHoweverLongItLasts() {
		InformerFailure failure = new InformerFailure(InformerFailure.Kind.UNDECODABLE_OBJECT, "Cannot read any object",
				NOW, new IllegalArgumentException());
		Health health = health(true, new InformerState(Phase.WATCHING, ago(90), failure, null, null));
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsEntry("reason", "Cannot read any object")
			.doesNotContainKeys("failingSince", "failingThreshold");
		assertThat(health(true, new InformerState(Phase.BACKING_OFF, ago(90), failure, ago(61), null)).getStatus())
			.isEqualTo(Status.DOWN);
	}

	@Test
	void optionalInformerWithoutResource_hasReasonAndNextAttempt() {
		assertThat(health(false, state(Phase.DORMANT, 90)).getDetails())
			.containsEntry("reason", "403: may not list pods")
			.containsEntry("nextAttempt", NOW.plusSeconds(1))
			.doesNotContainKeys("failingSince", "failingThreshold");
	}

	@Test
	void oneFailingNamespace_isDown() {
		assertThat(health(true, state(Phase.BACKING_OFF, 10), state(Phase.WATCHING, 61)).getStatus())
			.isEqualTo(Status.DOWN);
		assertThat(health(false, state(Phase.DORMANT, 90), state(Phase.WATCHING, null)).getStatus())
			.isEqualTo(Status.UNKNOWN);
		assertThat(health(false, state(Phase.DORMANT, 90), state(Phase.BACKING_OFF, 61)).getStatus())
			.isEqualTo(Status.DOWN);
		assertThat(health(true, state(Phase.FAILED, 1), state(Phase.BACKING_OFF, 30)).getDetails())
			.containsEntry("failingSince", NOW.minusSeconds(1));
	}

	@Test
	void endlessThreshold_isNeverDownExceptForPermanentFailure() {
		Duration endless = ChronoUnit.FOREVER.getDuration();
		assertThat(health(endless, true, state(Phase.BACKING_OFF, 86_400)).getStatus()).isEqualTo(Status.UP);
		assertThat(health(endless, true, state(Phase.FAILED, 0)).getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void details_containReasonTimeAndNextAttempt() {
		assertThat(health(true, state(Phase.BACKING_OFF, 61)).getDetails()).containsEntry("resource", "pods/v1")
			.containsEntry("phase", Phase.BACKING_OFF)
			.containsEntry("synced", false)
			.containsEntry("reason", "403: may not list pods")
			.containsEntry("failingSince", NOW.minusSeconds(61))
			.containsEntry("failingThreshold", THRESHOLD)
			.containsEntry("nextAttempt", NOW.plusSeconds(1));
		assertThat(health(true, state(Phase.WATCHING, null)).getDetails()).doesNotContainKeys("reason", "failingSince",
				"failingThreshold", "nextAttempt");
	}

	@Test
	void stuckHandler_isDownAfterThreshold_andIsNamedWithItsObject() {
		assertThat(stuck(null).getStatus()).isEqualTo(Status.UP);
		assertThat(stuck(Duration.ofSeconds(90)).getStatus()).isEqualTo(Status.UP);
		Health health = stuck(Duration.ofSeconds(89));
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("stuckHandlerThreshold", Duration.ofSeconds(89))
			.containsEntry("stuckHandlers", List.of(new InformerHealthIndicator.StuckHandler("audit", "shop/web-1",
					ResourceEvent.Type.UPDATED, Duration.ofSeconds(90))));
	}

	private static Health stuck(@Nullable Duration threshold) {
		TestInformer<V1Pod> informer = new TestInformer<>(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, true)
			.withState(state(Phase.WATCHING, null), true);
		informer.addHandler((event) -> {
		}, (options) -> options.name("audit"));
		return new InformerHealthIndicator(informer, true, THRESHOLD, threshold, TIME).health();
	}

	private static InformerState state(Phase phase, @Nullable Integer failingFor) {
		InformerFailure failure = new InformerFailure(InformerFailure.Kind.FORBIDDEN, "403: may not list pods", NOW,
				new IllegalStateException());
		return (failingFor != null) ? new InformerState(phase, ago(0), failure, ago(failingFor), NOW.plusSeconds(1))
				: new InformerState(phase, ago(0), null, null, null);
	}

	private static Moment ago(long seconds) {
		return TIME.moment().minus(Duration.ofSeconds(seconds));
	}

	private static Health health(boolean required, InformerState... states) {
		return health(THRESHOLD, required, states);
	}

	private static Health health(Duration threshold, boolean required, InformerState... states) {
		TestInformer<V1Pod> informer = new TestInformer<>(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, true)
			.withState(states[0], false)
			.withStates(states);
		return new InformerHealthIndicator(informer, required, threshold, null, TIME).health();
	}

	private static final class FixedTime implements TimeSource {

		@Override
		public Instant now() {
			return NOW;
		}

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public void await(Condition condition, long nanos) {
			throw new UnsupportedOperationException();
		}

	}

}
