/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.BackoffPolicy;
import dev.informer.testing.FakeTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Backoff}.
 */
class BackoffTests {

	private static final Duration NO_CAP = Duration.ofDays(1);

	private final FakeTime time = FakeTime.manual();

	private double random;

	private final Backoff backoff = new Backoff(BackoffPolicy.DEFAULT, this.time, () -> this.random);

	@Test
	void delay_isDoubledUpToThirtySeconds() {
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofMillis(800));
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofMillis(1600));
		for (int i = 0; i < 10; i++) {
			this.backoff.next(NO_CAP);
		}
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void jitter_addsUpToOnceTheDelay() {
		this.random = 0.5;
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofMillis(1200));
		this.random = 0.999;
		assertThat(this.backoff.next(NO_CAP)).isBetween(Duration.ofMillis(3198), Duration.ofMillis(3200));
	}

	@Test
	void cap_holdsBeforeTheJitterAndForThisDelayOnly() {
		for (int i = 0; i < 4; i++) {
			this.backoff.next(NO_CAP);
		}
		this.random = 0.5;
		assertThat(this.backoff.next(Duration.ofSeconds(5))).isEqualTo(Duration.ofMillis(7500));
		this.random = 0;
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofMillis(25_600));
	}

	@Test
	void reset_needsTwoMinutesWithoutAFailure_notTwoMinutesOfFailures() {
		for (int i = 0; i < 20; i++) {
			this.time.advance(this.backoff.next(NO_CAP));
		}
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofSeconds(30));
		this.time.advance(Duration.ofSeconds(30).plusMinutes(2));
		assertThat(this.backoff.next(NO_CAP)).isEqualTo(Duration.ofMillis(800));
	}

}
