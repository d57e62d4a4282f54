/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;

import dev.informer.BackoffPolicy;
import dev.informer.RetryPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Policies}.
 */
class PoliciesTests {

	@Test
	void nothingOverridden_returnsSameValues() {
		assertThat(Policies.override(RetryPolicy.DEFAULT, null, null, null, null, null)).isEqualTo(RetryPolicy.DEFAULT);
		assertThat(Policies.override(BackoffPolicy.DEFAULT, null, null, null, null, null))
			.isEqualTo(BackoffPolicy.DEFAULT);
	}

	@Test
	void overriddenDelay_scalesJitter() {
		RetryPolicy policy = new RetryPolicy(3, Duration.ofMillis(200), 2, Duration.ofSeconds(5),
				Duration.ofMillis(50));
		assertThat(Policies.override(policy, null, Duration.ofMillis(400), null, null, null))
			.isEqualTo(new RetryPolicy(3, Duration.ofMillis(400), 2, Duration.ofSeconds(5), Duration.ofMillis(100)));
		assertThat(Policies.override(BackoffPolicy.DEFAULT, Duration.ofMillis(100), null, null, null, null).jitter())
			.hasMillis(100);
	}

	@Test
	void overriddenJitter_isKept() {
		assertThat(
				Policies.override(RetryPolicy.DEFAULT, null, Duration.ofSeconds(2), null, null, Duration.ZERO).jitter())
			.isZero();
	}

	@Test
	void delayOfZero_keepsJitter() {
		RetryPolicy policy = new RetryPolicy(3, Duration.ZERO, 2, Duration.ofSeconds(5), Duration.ofMillis(50));
		assertThat(Policies.override(policy, null, Duration.ofSeconds(1), null, null, null).jitter()).hasMillis(50);
	}

}
