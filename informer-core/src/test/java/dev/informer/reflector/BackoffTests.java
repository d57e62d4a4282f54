/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.BackoffPolicy;
import dev.informer.reflector.RetryDecider.Backoff;
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

	private Backoff backoff = Backoff.of(BackoffPolicy.DEFAULT);

	@Test
	void delay_isDoubledUpToThirtySeconds() {
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofMillis(800));
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofMillis(1600));
		for (int i = 0; i < 10; i++) {
			next(NO_CAP);
		}
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void jitter_addsUpToTheDelay() {
		this.random = 0.5;
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofMillis(1200));
		this.random = 0.999;
		assertThat(next(NO_CAP)).isBetween(Duration.ofMillis(3198), Duration.ofMillis(3200));
	}

	@Test
	void cap_includesJitterAndAppliesToOneDelay() {
		for (int i = 0; i < 4; i++) {
			next(NO_CAP);
		}
		assertThat(next(Duration.ofSeconds(5))).isEqualTo(Duration.ofMillis(2500));
		this.random = 0.5;
		assertThat(next(Duration.ofSeconds(5))).isEqualTo(Duration.ofMillis(3750));
		this.random = 0;
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void reset_requiresTwoMinutesWithoutFailure() {
		for (int i = 0; i < 20; i++) {
			this.time.advance(next(NO_CAP));
		}
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofSeconds(30));
		this.time.advance(Duration.ofSeconds(30).plusMinutes(2));
		assertThat(next(NO_CAP)).isEqualTo(Duration.ofMillis(800));
	}

	private Duration next(Duration cap) {
		Backoff current = this.backoff.at(this.time.nanoTime());
		Duration delay = current.delay(cap, this.random);
		this.backoff = current.failed(this.time.nanoTime() + delay.toNanos());
		return delay;
	}

}
