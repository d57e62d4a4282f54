/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.List;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.informer.testing.NoThreadLeft;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests that run random sequences of operations on an informer, and compare its state
 * with the server. A sequence follows from its seed: {@code -Dmodel.seed=<seed>
 * -Dmodel.sequences=1} repeats one. Profile {@code model} runs 10,000 sequences with new
 * seeds.
 */
@ExtendWith(NoThreadLeft.class)
class ModelTests {

	private static final Logger logger = (Logger) LoggerFactory.getLogger("dev.informer");

	private static final int SEQUENCES = 100;

	private static final List<Integer> OPERATIONS = IntStream.rangeClosed(1, 60).boxed().toList();

	@BeforeAll
	static void keepQuiet() {
		logger.setLevel(Level.OFF);
	}

	@AfterAll
	static void speakAgain() {
		logger.setLevel(null);
	}

	@Test
	@Timeout(value = 3600, threadMode = ThreadMode.SEPARATE_THREAD)
	void randomSequences_matchServer() {
		int sequences = Integer.getInteger("model.sequences", SEQUENCES);
		long first = Long.getLong("model.seed", (sequences > SEQUENCES) ? System.currentTimeMillis() * 100_000 : 1);
		LoggerFactory.getLogger("model").warn("{} sequences from -Dmodel.seed={}", sequences, first);
		long checks = 0;
		for (long seed = first; seed < first + sequences; seed++) {
			ModelRun run = new ModelRun(seed);
			if (run.run(OPERATIONS).problem() != null) {
				report(seed);
			}
			checks += run.checks();
		}
		assertThat(checks).as("comparisons of the store with the server").isGreaterThan(20L * sequences);
	}

	@Test
	void sequence_isDeterminedBySeed() {
		Trace one = new ModelRun(7).run(OPERATIONS);
		Trace other = new ModelRun(7).run(OPERATIONS);
		assertThat(one.lines()).isEqualTo(other.lines()).isNotEmpty();
	}

	@Test
	void sharedParts_changeNothing() {
		for (long seed = 1; seed <= 20; seed++) {
			List<String> shared = new ModelRun(seed, true).run(OPERATIONS).lines();
			List<String> unshared = new ModelRun(seed, false).run(OPERATIONS).lines();
			// the first line has the settings
			assertThat(shared.subList(1, shared.size())).as("-Dmodel.seed=%d", seed)
				.isEqualTo(unshared.subList(1, unshared.size()))
				.isNotEmpty();
		}
	}

	private static void report(long seed) {
		List<Integer> operations = new Shrinking((some) -> new ModelRun(seed).run(some).problem() != null)
			.shrink(OPERATIONS);
		Trace trace = new ModelRun(seed).run(operations);
		fail("%s%nwith -Dmodel.seed=%d -Dmodel.sequences=1, shrunk to %d operations:%n%s", trace.problem(), seed,
				operations.size(), trace);
	}

}
