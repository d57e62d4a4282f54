/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

/**
 * Table of docs/replicas.md, from random {@link ShardSimulation}s. It takes minutes, so
 * it is no part of the build.
 * <p>
 * System properties: {@code shard.runs} for the number of runs in total,
 * {@code shard.seed} for the seed of the first one.
 */
class ShardSimulationTable {

	private static final long SEED = Long.getLong("shard.seed", 1);

	@Test
	void table() {
		int total = Integer.getInteger("shard.runs", 10_000);
		System.out.println("seed " + SEED);
		System.out.println("| replicas | slots | runs | slots acquired | memberships lost | "
				+ "objects that move on a join, mean | worst | share | objects of the largest | requests per second | most |");
		System.out.println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
		row(3, 64, total * 8 / 10);
		row(10, 64, total * 19 / 100);
		row(50, 256, total * 4 / 1000);
		row(200, 1024, total / 2000);
		row(500, 1024, total / 5000);
	}

	private static void row(int replicas, int slots, int runs) {
		long acquired = 0;
		long lost = 0;
		double requests = 0;
		int most = 0;
		for (long seed = SEED; seed < SEED + runs; seed++) {
			ShardSimulation simulation = new ShardSimulation(seed, replicas, slots);
			requests += simulation.run(120, 20);
			acquired += simulation.acquired();
			lost += simulation.lost();
			most = Math.max(most, simulation.mostRequests());
		}
		ObjectDistribution objects = new ObjectDistribution(1_000_000, slots);
		double[] moved = IntStream.range(0, 10).mapToDouble((group) -> objects.movedByJoin(group, replicas)).toArray();
		System.out.printf("| %d | %d | %,d | %,d | %,d | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f | %,d |%n",
				replicas, slots, runs, acquired, lost, 100 * DoubleStream.of(moved).average().orElseThrow(),
				100 * DoubleStream.of(moved).max().orElseThrow(), 100.0 / (replicas + 1),
				100 * objects.largest(0, replicas), requests / runs, most);
	}

}
