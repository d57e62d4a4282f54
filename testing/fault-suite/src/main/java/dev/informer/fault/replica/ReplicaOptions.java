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
import dev.informer.fault.server.Needs;

/**
 * Options of the commands {@code leader} and {@code shard}.
 *
 * @param <S> the type of the stage
 * @param faults the faults to inject
 * @param rounds the number of rounds
 * @param seed the seed of their order
 * @param durations the durations of the Leases
 * @param needs the settings of the control plane
 */
record ReplicaOptions<S extends ReplicaStage>(List<Fault<S>> faults, int rounds, long seed, ReplicaDurations durations,
		Needs needs) {

	/** Names of the options of the command {@code leader}. */
	static final Set<String> LEADER = names("faults", "rounds", "seed", "lease-duration");

	private static final String SERVER_SHARDING = "server-sharding";

	/** Names of the options of the command {@code shard}. */
	static final Set<String> SHARD = names("faults", "rounds", "seed", "lease-duration", SERVER_SHARDING);

	private static Set<String> names(String... names) {
		return Collections.unmodifiableSet(new TreeSet<>(Set.of(names)));
	}

	static ReplicaOptions<LeaderStage> ofLeader(Map<String, String> values) {
		return of(values, LeaderFaults.all(), Needs.DEFAULT);
	}

	static ReplicaOptions<ShardStage> ofShard(Map<String, String> values) {
		String serverSharding = values.getOrDefault(SERVER_SHARDING, "true");
		Needs needs = switch (serverSharding) {
			case "true" -> Needs.DEFAULT.withFlags(Map.of("feature-gates", "ShardedListAndWatch=true"));
			case "false" -> Needs.DEFAULT;
			default -> throw new IllegalArgumentException(
					"Invalid value '" + serverSharding + "' of --" + SERVER_SHARDING + ". Use true or false.");
		};
		return of(values, ShardFaults.all(), needs);
	}

	private static <S extends ReplicaStage> ReplicaOptions<S> of(Map<String, String> values, List<Fault<S>> all,
			Needs needs) {
		List<Fault<S>> faults = Fault.matching(all,
				Stream.of(values.getOrDefault("faults", "").split(",")).filter((word) -> !word.isEmpty()).toList());
		boolean secondServer = faults.stream().anyMatch(Fault::secondServer);
		String rounds = values.get("rounds");
		String seed = values.get("seed");
		String lease = values.get("lease-duration");
		return new ReplicaOptions<>(faults, (rounds != null) ? Integer.parseInt(rounds) : faults.size(),
				(seed != null) ? Long.parseLong(seed) : System.nanoTime(),
				new ReplicaDurations((lease != null) ? Duration.parse("PT" + lease) : ReplicaDurations.DEFAULT_LEASE),
				secondServer ? needs.withSecondServer() : needs);
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
