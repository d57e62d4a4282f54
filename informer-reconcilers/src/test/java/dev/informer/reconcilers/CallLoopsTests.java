/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallLoops}.
 */
class CallLoopsTests {

	private final List<CallLoops.Streak> reports = new ArrayList<>();

	private long now = Long.MAX_VALUE - TimeSource.nanos(Duration.ofMinutes(1));

	@Test
	void objectThatIsCalledAgainAtOnce_isReportedOncePerHour_andCountedUntilItEnds() {
		CallLoops loops = new CallLoops(TimeSource.nanos(Duration.ofMillis(100)));
		call(loops, "a", 200, 899);
		assertThat(this.reports).isEmpty();
		call(loops, "a", 200, 2);
		assertThat(this.reports).hasSize(1);
		assertThat(this.reports.get(0).calls()).isEqualTo(901);
		assertThat(this.reports.get(0).duration()).isEqualTo(Duration.ofMinutes(3));
		call(loops, "a", 200, 5 * 60 * 50);
		assertThat(this.reports).hasSize(1);
		assertThat(loops.size(this.now)).isOne();
		call(loops, "a", 200, 5 * 60 * 60);
		assertThat(this.reports).hasSize(2);
		pass(1001);
		assertThat(loops.size(this.now)).isZero();
	}

	@Test
	void objectsThatAreCalledNowAndThen_areNoLoop() {
		CallLoops loops = new CallLoops(0);
		call(loops, "a", 1001, 1000);
		for (int i = 0; i < 100_000; i++) {
			call(loops, "other" + i, 1, 1);
		}
		assertThat(this.reports).isEmpty();
		assertThat(loops.size(this.now)).isZero();
	}

	@Test
	void callsAtALongInterval_areNoLoop() {
		CallLoops loops = new CallLoops(TimeSource.nanos(Duration.ofMinutes(1)));
		call(loops, "a", 60_000, 1000);
		assertThat(this.reports).isEmpty();
	}

	private void call(CallLoops loops, String key, long millis, int times) {
		for (int i = 0; i < times; i++) {
			pass(millis);
			CallLoops.Streak report = loops.called(key, this.now);
			if (report != null) {
				this.reports.add(report);
			}
		}
	}

	private void pass(long millis) {
		this.now += TimeSource.nanos(Duration.ofMillis(millis));
	}

}
