/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.informer.fault.client.ClockShift;
import dev.informer.fault.journal.Conclusion;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Short form of the suite: five faults with shorter durations, in less than two minutes.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
class LeaderSuiteTests {

	private static final String FAULTS = "leader-killed,leader-terminated-idle,leader-partitioned-25s,answers-lost,";

	private static final String SUSPENDED = "leader-suspended-20s";

	/** With a jump of the clock, which needs a C compiler. */
	private static final String SUSPENDED_WITH_JUMP = "leader-suspended-20s-clock-forward-1h";

	@Test
	void selectedFaults_causeNoOverlapAndLoseNoChange() throws Exception {
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
		String faults = FAULTS + (ClockShift.isAvailable() ? SUSPENDED_WITH_JUMP : SUSPENDED);
		Conclusion conclusion = ReplicaSuite.runLeader(Map.of("faults", faults, "lease-duration", "6s"), out);
		assertThat(conclusion).as(() -> output.toString(StandardCharsets.UTF_8)).isEqualTo(Conclusion.PASSED);
	}

}
