/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ReplicaOptions}.
 */
class ReplicaOptionsTests {

	@Test
	void defaults_areAllFaultsOnceWithDefaultDurations() {
		ReplicaOptions<LeaderStage> options = leader(Map.of());
		assertThat(options.sequence()).extracting(Fault::name)
			.containsExactlyInAnyOrderElementsOf(LeaderFaults.all().stream().map(Fault::name).toList())
			.doesNotHaveDuplicates();
		assertThat(options.durations().lease()).isEqualTo(Duration.ofSeconds(15));
	}

	@Test
	void faults_occurEquallyOften() {
		List<Fault<LeaderStage>> sequence = leader(Map.of("faults", "leader-killed,standby-", "rounds", "9"))
			.sequence();
		assertThat(sequence).extracting(Fault::name)
			.hasSize(9)
			.containsOnly("leader-killed", "standby-killed", "standby-suspended-20s");
		assertThat(sequence.stream().filter((fault) -> fault.name().equals("leader-killed"))).hasSize(3);
	}

	@Test
	void nameThatOthersBeginWith_isThatFaultAlone() {
		assertThat(leader(Map.of("faults", "leader-half-open")).faults()).extracting(Fault::name)
			.containsExactly("leader-half-open");
		assertThat(leader(Map.of("faults", "leader-half")).faults()).extracting(Fault::name)
			.containsExactly("leader-half-open", "leader-half-open-to-server", "leader-half-open-from-server");
	}

	@Test
	void seed_determinesTheOrder() {
		assertThat(sequence("1")).isEqualTo(sequence("1")).isNotEqualTo(sequence("2"));
	}

	@Test
	void faultsOfShard_areSelected() {
		ReplicaOptions<ShardStage> options = ReplicaOptions.ofShard(Map.of("faults", "replica-joins,replica-leaves"));
		assertThat(options.faults()).extracting(Fault::name).containsExactly("replica-joins", "replica-leaves");
		assertThat(ShardFaults.all()).extracting(Fault::name).doesNotHaveDuplicates();
	}

	@Test
	void serverSharding_isAFeatureGateOfTheApiServerByDefault() {
		assertThat(shard(Map.of()).needs().flags()).containsEntry("feature-gates", "ShardedListAndWatch=true");
		assertThat(shard(Map.of("server-sharding", "false")).needs().flags()).isEmpty();
		assertThat(leader(Map.of()).needs().flags()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> shard(Map.of("server-sharding", "no")))
			.withMessageStartingWith("Invalid value 'no'");
	}

	@Test
	void faultOfSecondServer_startsIt() {
		assertThat(leader(Map.of("faults", "second-apiserver-lagging")).needs().secondServer()).isTrue();
		assertThat(shard(Map.of("faults", "replica-joins,second-")).needs().secondServer()).isTrue();
		assertThat(leader(Map.of("faults", "leader-killed")).needs().secondServer()).isFalse();
	}

	private static ReplicaOptions<ShardStage> shard(Map<String, String> values) {
		return ReplicaOptions.ofShard(values);
	}

	private static ReplicaOptions<LeaderStage> leader(Map<String, String> values) {
		return ReplicaOptions.ofLeader(values);
	}

	private static List<String> sequence(String seed) {
		return leader(Map.of("seed", seed)).sequence().stream().map(Fault::name).toList();
	}

	@Test
	void unknownFault_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> leader(Map.of("faults", "comet")))
			.withMessageStartingWith("Unknown fault 'comet'. Use one of [leader-killed,");
	}

}
