/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.Violation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RoundResult}.
 */
class RoundResultTests {

	private static final ReplicaDurations DURATIONS = new ReplicaDurations(ReplicaDurations.DEFAULT_LEASE);

	private static final long NONE = -1;

	@Test
	void expiredLease_isTakenOverWithinItsDurationAndTwoSeconds() {
		assertThat(violations(Outcome.EXPIRED, 17_000)).isEmpty();
		assertThat(violations(Outcome.EXPIRED, 17_001)).containsExactly("took over too late");
		assertThat(violations(Outcome.EXPIRED, NONE)).containsExactly("no replica took over");
	}

	@Test
	void releasedLease_isTakenOverWithinASecond() {
		assertThat(violations(Outcome.RELEASED, 1_000)).isEmpty();
		assertThat(violations(Outcome.RELEASED, 1_001)).containsExactly("took over too late");
		assertThat(violations(Outcome.RELEASED, NONE)).containsExactly("no replica took over");
	}

	@Test
	void keptLease_isNotTakenOver() {
		assertThat(violations(Outcome.KEPT, NONE)).isEmpty();
		assertThat(violations(Outcome.KEPT, 1)).containsExactly("taken over without need");
	}

	@Test
	void anyOutcome_isTakenOverInTimeOrNotAtAll() {
		assertThat(violations(Outcome.ANY, NONE)).isEmpty();
		assertThat(violations(Outcome.ANY, 17_000)).isEmpty();
		assertThat(violations(Outcome.ANY, 17_001)).containsExactly("took over too late");
	}

	@Test
	void slotsOfExpiredLease_areOwnedWithinItsDurationAndTwelveSeconds() {
		assertThat(ShardStage.bar(Outcome.EXPIRED, DURATIONS)).isEqualTo(Duration.ofSeconds(27));
		assertThat(ShardStage.bar(Outcome.RELEASED, DURATIONS)).isEqualTo(Duration.ofSeconds(10));
		assertThat(ShardStage.bar(Outcome.KEPT, DURATIONS)).isNull();
	}

	@Test
	void failureOfSuite_isNoViolation() {
		RoundResult failed = RoundResult.failed("fault", new HttpTimeoutException("request timed out"));
		assertThat(failed.isFailure()).isTrue();
		assertThat(failed.isBreach()).isFalse();
		assertThat(failed.failure()).contains("request timed out");
	}

	@Test
	void failureOfReplica_isViolation() {
		RoundResult failed = RoundResult.failed("fault", new ClientException("Client ended at its start"));
		assertThat(failed.isFailure()).isFalse();
		assertThat(failed.isBreach()).isTrue();
	}

	private static List<String> violations(Outcome outcome, long millis) {
		Effect effect = new Effect(outcome, LeaderStage.bar(outcome, DURATIONS), millis != NONE,
				Duration.ofMillis(Math.max(0, millis)), 0, null);
		return RoundResult.of("fault", List.of(effect), List.of(), List.of())
			.violations()
			.stream()
			.map(Violation::kind)
			.toList();
	}

}
