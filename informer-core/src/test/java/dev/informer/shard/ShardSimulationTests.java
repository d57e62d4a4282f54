/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import dev.informer.conformance.Conformance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random {@link ShardSimulation}s.
 * <p>
 * System properties: {@code shard.runs} for the number of runs, {@code shard.seed} for
 * the seed of the first one.
 */
class ShardSimulationTests {

	private static final int RUNS = Integer.getInteger("shard.runs", 150);

	private static final long SEED = Long.getLong("shard.seed", 1);

	@Conformance("never two owners of a slot under crashes, suspensions, partitions, slow watches and clock jumps")
	@Test
	void randomRuns_neverHaveTwoOwners() {
		long acquired = 0;
		long lost = 0;
		long work = 0;
		for (long seed = SEED; seed < SEED + RUNS; seed++) {
			ShardSimulation simulation = new ShardSimulation(seed, 2 + (int) (seed % 6), 16);
			simulation.run(120, 20);
			acquired += simulation.acquired();
			lost += simulation.lost();
			work += simulation.work();
		}
		// otherwise nothing has been shown
		assertThat(acquired).isGreaterThan(RUNS * 50L);
		assertThat(lost).isGreaterThan(RUNS);
		assertThat(work).isGreaterThan(RUNS * 100L);
	}

}
