/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimeSource}.
 */
class TimeSourceTests {

	@Test
	void sumsAndDifferencesOfTwoTimes_doNotOverflow() {
		for (Duration duration : List.of(ChronoUnit.FOREVER.getDuration(), Duration.ofSeconds(Long.MAX_VALUE))) {
			assertThat(Math.addExact(TimeSource.nanos(duration), TimeSource.nanos(duration))).isPositive();
			assertThat(Math.subtractExact(TimeSource.nanos(duration.negated()), TimeSource.nanos(duration)))
				.isNegative();
			assertThat(TimeSource.millis(duration)).isEqualTo(TimeSource.nanos(duration) / 1_000_000);
			assertThat(TimeSource.plus(Instant.EPOCH, duration)).isAfter(Instant.parse("2069-01-01T00:00:00Z"));
			assertThat(TimeSource.plus(Instant.EPOCH, duration.negated()))
				.isBefore(Instant.parse("1871-01-01T00:00:00Z"));
		}
		assertThat(TimeSource.nanos(Duration.ofMillis(5))).isEqualTo(5_000_000);
		assertThat(TimeSource.plus(Instant.EPOCH, Duration.ofSeconds(-5))).isEqualTo(Instant.ofEpochSecond(-5));
	}

}
