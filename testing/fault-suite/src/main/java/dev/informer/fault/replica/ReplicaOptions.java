/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.informer.fault.client.ReplicaDurations;

/**
 * Options of the commands {@code leader} and {@code shard}.
 *
 * @param <S> the type of the stage
 * @param faults the faults to inject
 * @param rounds the number of rounds
 * @param seed the seed of their order
 * @param durations the durations of the Leases
 */
record ReplicaOptions<S extends ReplicaStage>(List<Fault<S>> faults, int rounds, long seed,
		ReplicaDurations durations) {

	/** Names of the options. */
	static final Set<String> NAMES = Collections
		.unmodifiableSet(new TreeSet<>(Set.of("faults", "rounds", "seed", "lease-duration")));

	/**
	 * Read options.
	 * @param values the values by name
	 * @param all all faults
	 */
	static <S extends ReplicaStage> ReplicaOptions<S> of(Map<String, String> values, List<Fault<S>> all) {
		List<Fault<S>> faults = Fault.matching(all,
				Stream.of(values.getOrDefault("faults", "").split(",")).filter((word) -> !word.isEmpty()).toList());
		String rounds = values.get("rounds");
		String seed = values.get("seed");
		String lease = values.get("lease-duration");
		return new ReplicaOptions<>(faults, (rounds != null) ? Integer.parseInt(rounds) : faults.size(),
				(seed != null) ? Long.parseLong(seed) : System.nanoTime(),
				new ReplicaDurations((lease != null) ? Duration.parse("PT" + lease) : ReplicaDurations.DEFAULT_LEASE));
	}

	/**
	 * Return the fault of each round. All faults occur equally often, in random order.
	 */
	List<Fault<S>> sequence() {
		Random random = new Random(this.seed);
		List<Fault<S>> sequence = new ArrayList<>();
		while (sequence.size() < this.rounds) {
			List<Fault<S>> shuffled = new ArrayList<>(this.faults);
			Collections.shuffle(shuffled, random);
			sequence.addAll(shuffled);
		}
		return sequence.subList(0, this.rounds);
	}

}
