/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import dev.informer.conformance.Conformance;
import dev.informer.leader.FakeLeadership;
import dev.informer.shard.FakeSharding;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HandlerOptions}.
 */
class HandlerOptionsTests {

	private static final Sharding SHARDING = new FakeSharding("me", 4);

	@Conformance("KEEP_ALL and a combination with leader-only are rejected")
	@Test
	void keepAllAndSharding_isRejected() {
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<V1Pod>().queue(QueuePolicy.KEEP_ALL)
			.sharding(SHARDING);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(builder::build)
			.withMessage("Option 'queue' must be coalesce for a sharded handler: a replica would keep every event of "
					+ "the slots that it does not own, without a bound");
	}

	@Conformance("KEEP_ALL and a combination with leader-only are rejected")
	@Test
	void leadershipAndSharding_isRejected() {
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<V1Pod>().leadership(new FakeLeadership())
			.sharding(SHARDING);
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(builder::build)
			.withMessage("Option 'sharding' cannot be combined with 'leadership': the leader handles all objects. "
					+ "Remove one of them");
	}

}
