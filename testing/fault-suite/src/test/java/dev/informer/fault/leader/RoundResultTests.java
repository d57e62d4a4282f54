/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.time.Duration;
import java.util.List;

import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.leader.LeaderFault.Outcome;
import dev.informer.fault.leader.LeaderStage.Takeover;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RoundResult}.
 */
class RoundResultTests {

	private static final Takeover NONE = new Takeover(false, Duration.ZERO);

	@Test
	void expiredLease_isTakenOverWithinItsDurationAndTwoSeconds() {
		assertThat(violations(Outcome.EXPIRED, after(17_000))).isEmpty();
		assertThat(violations(Outcome.EXPIRED, after(17_001))).containsExactly("took over too late");
		assertThat(violations(Outcome.EXPIRED, NONE)).containsExactly("no replica took over");
	}

	@Test
	void releasedLease_isTakenOverWithinASecond() {
		assertThat(violations(Outcome.RELEASED, after(1_000))).isEmpty();
		assertThat(violations(Outcome.RELEASED, after(1_001))).containsExactly("took over too late");
		assertThat(violations(Outcome.RELEASED, NONE)).containsExactly("no replica took over");
	}

	@Test
	void keptLease_isNotTakenOver() {
		assertThat(violations(Outcome.KEPT, NONE)).isEmpty();
		assertThat(violations(Outcome.KEPT, after(1))).containsExactly("leader lost its term");
	}

	@Test
	void anyOutcome_isTakenOverInTimeOrNotAtAll() {
		assertThat(violations(Outcome.ANY, NONE)).isEmpty();
		assertThat(violations(Outcome.ANY, after(17_000))).isEmpty();
		assertThat(violations(Outcome.ANY, after(17_001))).containsExactly("took over too late");
	}

	private static Takeover after(long millis) {
		return new Takeover(true, Duration.ofMillis(millis));
	}

	private static List<String> violations(Outcome outcome, Takeover takeover) {
		LeaderFault fault = new LeaderFault("fault", outcome, (stage) -> {
		});
		return RoundResult
			.of(fault, takeover, new ReplicaDurations(ReplicaDurations.DEFAULT_LEASE), List.of(), List.of())
			.violations()
			.stream()
			.map(Violation::kind)
			.toList();
	}

}
