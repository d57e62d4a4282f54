/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;
import java.util.stream.IntStream;

import dev.informer.model.Shrinking;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests that run random sequences of operations on a {@link KeyQueue}, and compare it
 * with a model. A sequence follows from its seed: {@code -Dmodel.seed=<seed>
 * -Dmodel.sequences=1} repeats one; {@code -Dmodel.sequences=10000} runs as many with new
 * seeds.
 */
class KeyQueueModelTests {

	private static final int SEQUENCES = 2000;

	private static final List<Integer> OPERATIONS = IntStream.rangeClosed(1, 100).boxed().toList();

	@Test
	@Timeout(value = 3600, threadMode = ThreadMode.SEPARATE_THREAD)
	void randomSequences_matchModel() {
		int sequences = Integer.getInteger("model.sequences", SEQUENCES);
		long first = Long.getLong("model.seed", (sequences > SEQUENCES) ? System.currentTimeMillis() * 100_000 : 1);
		long calls = 0;
		for (long seed = first; seed < first + sequences; seed++) {
			KeyQueueRun run = new KeyQueueRun(seed);
			if (run.run(OPERATIONS) != null) {
				report(seed);
			}
			calls += run.calls();
		}
		assertThat(calls).as("calls").isGreaterThan(5L * sequences);
	}

	private static void report(long seed) {
		List<Integer> operations = new Shrinking((some) -> new KeyQueueRun(seed).run(some) != null).shrink(OPERATIONS);
		KeyQueueRun run = new KeyQueueRun(seed);
		fail("%s%nwith -Dmodel.seed=%d -Dmodel.sequences=1, shrunk to %d operations:%n%s", run.run(operations), seed,
				operations.size(), String.join("\n", run.trace()));
	}

}
