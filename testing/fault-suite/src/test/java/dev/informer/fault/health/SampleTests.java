/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

import dev.informer.fault.health.Sample.Report;
import dev.informer.fault.journal.WatchedResource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Sample}.
 */
class SampleTests {

	@Test
	void countThatGrows_isExpired() {
		assertThat(Sample.expired(samples(2, 2, 3))).isTrue();
		assertThat(Sample.expired(samples(Double.NaN, 1))).isTrue();
	}

	@Test
	void countThatStays_isNotExpired() {
		assertThat(Sample.expired(samples(2, 2))).isFalse();
		assertThat(Sample.expired(samples(Double.NaN, Double.NaN))).isFalse();
		assertThat(Sample.expired(List.of(new Sample(0, 0, Map.of(), "no answer", false)))).isFalse();
		assertThat(Sample.expired(List.of())).isFalse();
	}

	private static List<Sample> samples(double... expirations) {
		return DoubleStream.of(expirations)
			.mapToObj((count) -> new Sample(0, 0,
					Map.of(WatchedResource.PODS, new Report("UP", "WATCHING", false, 10, 0, count)), null, false))
			.toList();
	}

}
