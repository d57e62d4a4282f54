/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.informer.fault.journal.Conclusion;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Short form of the suite: one scenario of each kind, in five to six minutes.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
class FaultSuiteTests {

	private static final String SCENARIOS = String.join(",", "apiserver-killed-1s", "compaction-and-restart",
			"etcd-restored-and-overtaken", "failover-larger-versions-reset", "client-frozen-during-restore",
			"connections-reset", "half-open-from-server", "accepted-but-silent", "rbac-removed", "sigterm-under-load");

	@Test
	void selectedScenarios_reachBars() throws Exception {
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
		Conclusion conclusion = FaultSuite.run(SuiteOptions.of(List.of("--scenarios=" + SCENARIOS)), out);
		assertThat(conclusion).as(() -> output.toString(StandardCharsets.UTF_8)).isEqualTo(Conclusion.PASSED);
	}

}
