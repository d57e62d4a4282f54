/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import dev.informer.testing.FakeGate;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HandlerOptions}.
 */
class HandlerOptionsTests {

	@Test
	void keepAllWithAGate_isRejected() {
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<V1Pod>().queue(QueuePolicy.KEEP_ALL)
			.gate(new FakeGate(1));
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(builder::build)
			.withMessage("Option 'queue' must be coalesce for a fake handler: while its gate is closed, every event "
					+ "would be kept, without a bound");
	}

}
