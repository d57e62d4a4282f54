/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.NoThreadLeft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of a {@link Shard} on a real API server: a group grows to eight
 * replicas and shrinks again, one by one.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealShardGroupTests {

	private static final int OBJECTS = 400;

	@Test
	@RealKubernetes
	void replicasJoinAndLeave_divideTheObjectsWithinTenSeconds(RealServer server, TestReporter reporter)
			throws Exception {
		RealShardObjects objects = new RealShardObjects(server, 200, "eight");
		objects.create(0, OBJECTS);
		List<Duration> joins = new ArrayList<>();
		List<Duration> leaves = new ArrayList<>();
		try (RealReplicas replicas = new RealReplicas(server, "eight", Shard.Key.UID,
				(options) -> options.namespaces("eight").pageSize(50))) {
			for (String identity : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
				joins.add(moveTime(objects, replicas, () -> replicas.join(identity)));
			}
			while (replicas.members().size() > 1) {
				RealReplica leaving = replicas.members().get(replicas.members().size() / 2);
				leaves.add(moveTime(objects, replicas, () -> replicas.leave(leaving)));
			}
		}
		reporter.publishEntry("joins", joins.toString());
		reporter.publishEntry("leaves", leaves.toString());
		Duration limit = Duration.ofSeconds(10);
		assertThat(joins).allSatisfy((time) -> assertThat(time).isLessThanOrEqualTo(limit));
		assertThat(leaves).allSatisfy((time) -> assertThat(time).isLessThanOrEqualTo(limit));
	}

	/**
	 * Let a replica join or leave, change objects concurrently, and measure the time
	 * until each object is in exactly one cache, in its last state.
	 */
	private static Duration moveTime(RealShardObjects objects, RealReplicas replicas, Move move) throws Exception {
		int number = replicas.members().size() * 10;
		long begin = System.nanoTime();
		move.run();
		objects.change(number, number + 10);
		replicas.awaitDivided(objects.versions());
		return Duration.ofNanos(System.nanoTime() - begin);
	}

	/**
	 * Join or leave of a replica.
	 */
	private interface Move {

		void run() throws Exception;

	}

}
