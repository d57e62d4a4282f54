/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.informer.fault.journal.Conclusion;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Short form of the suite: three faults with shorter durations.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
class ShardSuiteTests {

	@Test
	void selectedFaults_causeNoOverlapAndLoseNoChange() throws Exception {
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
		Conclusion conclusion = ReplicaSuite.runShard(
				Map.of("faults", "replica-joins,replica-partitioned-25s,namespace-terminating", "lease-duration", "6s"),
				out);
		assertThat(conclusion).as(() -> output.toString(StandardCharsets.UTF_8)).isEqualTo(Conclusion.PASSED);
	}

}
