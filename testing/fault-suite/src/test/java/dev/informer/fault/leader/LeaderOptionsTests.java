/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LeaderOptions}.
 */
class LeaderOptionsTests {

	@Test
	void defaults_areAllFaultsOnceWithDefaultDurations() {
		LeaderOptions options = LeaderOptions.of(Map.of());
		assertThat(options.sequence()).extracting(LeaderFault::name)
			.containsExactlyInAnyOrderElementsOf(LeaderFaults.all().stream().map(LeaderFault::name).toList())
			.doesNotHaveDuplicates();
		assertThat(options.durations().lease()).isEqualTo(Duration.ofSeconds(15));
	}

	@Test
	void faults_occurEquallyOften() {
		List<LeaderFault> sequence = LeaderOptions.of(Map.of("faults", "leader-killed,standby-", "rounds", "9"))
			.sequence();
		assertThat(sequence).extracting(LeaderFault::name)
			.hasSize(9)
			.containsOnly("leader-killed", "standby-killed", "standby-suspended-20s");
		assertThat(sequence.stream().filter((fault) -> fault.name().equals("leader-killed"))).hasSize(3);
	}

	@Test
	void nameThatOthersBeginWith_isThatFaultAlone() {
		assertThat(LeaderOptions.of(Map.of("faults", "leader-half-open")).faults()).extracting(LeaderFault::name)
			.containsExactly("leader-half-open");
		assertThat(LeaderOptions.of(Map.of("faults", "leader-half")).faults()).extracting(LeaderFault::name)
			.containsExactly("leader-half-open", "leader-half-open-to-server", "leader-half-open-from-server");
	}

	@Test
	void seed_determinesTheOrder() {
		assertThat(sequence("1")).isEqualTo(sequence("1")).isNotEqualTo(sequence("2"));
	}

	private static List<String> sequence(String seed) {
		return LeaderOptions.of(Map.of("seed", seed)).sequence().stream().map(LeaderFault::name).toList();
	}

	@Test
	void unknownFault_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> LeaderOptions.of(Map.of("faults", "comet")))
			.withMessageStartingWith("Unknown fault 'comet'. Use one of [leader-killed,");
	}

}
