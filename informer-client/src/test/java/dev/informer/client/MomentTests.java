/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.time.Instant;

import dev.informer.testing.FakeTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Moment}.
 */
class MomentTests {

	private final FakeTime time = FakeTime.manual();

	@ParameterizedTest
	@ValueSource(ints = { 2, -2 })
	void clockThatIsSet_changesNeitherAgeNorOrder(int hours) {
		Moment first = this.time.moment();
		this.time.advance(Duration.ofSeconds(5));
		this.time.setClock(Duration.ofHours(hours));
		Moment second = this.time.moment();
		assertThat(first.age(this.time)).isEqualTo(Duration.ofSeconds(5));
		assertThat(first).isLessThan(second);
		assertThat(second.time()).isEqualTo(first.time().plus(Duration.ofHours(hours)).plusSeconds(5));
	}

	@Test
	void momentsAroundAnOverflow_areOrdered() {
		assertThat(new Moment(Instant.EPOCH, Long.MAX_VALUE)).isLessThan(new Moment(Instant.EPOCH, Long.MIN_VALUE));
	}

	@Test
	void earlierMoment_hasAHigherAge() {
		Moment now = this.time.moment();
		Moment earlier = now.minus(Duration.ofMinutes(1));
		assertThat(earlier.age(this.time)).isEqualTo(Duration.ofMinutes(1));
		assertThat(earlier.time()).isEqualTo(now.time().minusSeconds(60));
	}

}
