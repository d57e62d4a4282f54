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
 * Tests that run random sequences of calls, writes, answers, events, restores and
 * takeovers in virtual time, with a model of the server: each object is called for after
 * its last change, no call sees less than its own writes of the same history, and no hold
 * outlives its epoch. A sequence follows from its seed: {@code -Dmodel.seed=<seed>
 * -Dmodel.sequences=1} repeats one; {@code -Dmodel.sequences=100000} runs as many with
 * new seeds.
 */
class HoldModelTests {

	private static final int SEQUENCES = 500;

	private static final List<Integer> OPERATIONS = IntStream.rangeClosed(1, 150).boxed().toList();

	@Test
	@Timeout(value = 7200, threadMode = ThreadMode.SEPARATE_THREAD)
	void randomSequences_haveTheProperties() {
		int sequences = Integer.getInteger("model.sequences", SEQUENCES);
		long first = Long.getLong("model.seed", (sequences > SEQUENCES) ? System.currentTimeMillis() * 100_000 : 1);
		long calls = 0;
		long lookUps = 0;
		long takeovers = 0;
		for (long seed = first; seed < first + sequences; seed++) {
			HoldRun run = new HoldRun(seed);
			if (run.run(OPERATIONS) != null) {
				report(seed);
			}
			calls += run.calls();
			lookUps += run.lookUps();
			takeovers += run.takeovers();
		}
		assertThat(calls).as("calls").isGreaterThan(5L * sequences);
		assertThat(lookUps).as("look-ups").isGreaterThan(sequences / 2);
		assertThat(takeovers).as("takeovers").isGreaterThan(sequences / 2);
	}

	private static void report(long seed) {
		List<Integer> operations = new Shrinking((some) -> new HoldRun(seed).run(some) != null).shrink(OPERATIONS);
		HoldRun run = new HoldRun(seed);
		fail("%s%nwith -Dmodel.seed=%d -Dmodel.sequences=1, shrunk to %d operations:%n%s", run.run(operations), seed,
				operations.size(), String.join("\n", run.trace()));
	}

}
