/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import org.junit.jupiter.api.Test;

import static dev.informer.lease.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random {@link ShardSimulation}s.
 * <p>
 * System properties: {@code shard.runs} for the number of runs, {@code shard.seed} for
 * the seed of the first one.
 */
class ShardSimulationTests {

	private static final int RUNS = Integer.getInteger("shard.runs", 60);

	private static final long SEED = Long.getLong("shard.seed", 1);

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

	@Test
	void watchOfOneReplicaFails_othersOwnItsSlots() {
		for (long seed = SEED; seed < SEED + RUNS / 5; seed++) {
			ShardSimulation simulation = new ShardSimulation(seed, 2 + (int) (seed % 6), 16);
			simulation.run(20, 2);
			simulation.failWatch();
		}
	}

	@Test
	void watchesOfSeveralReplicasDenied_slotsOfOneThatEndsAreTakenOverInTime() {
		for (long seed = SEED; seed < SEED + RUNS / 3; seed++) {
			int replicas = 2 + (int) (seed % 6);
			ShardSimulation simulation = new ShardSimulation(seed, replicas, 16);
			simulation.denyWatches(1 + (int) (seed / 6 % replicas));
			simulation.run(60, 10);
			simulation.killAllButOne(8 * SECOND);
		}
	}

}
