/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the compared controllers reach the same objects.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@Timeout(300)
class ControllerTableTests {

	@Test
	void informer_leavesNoWidgetUnfinished() throws Exception {
		Map<String, String> figures = figures("informer");
		assertThat(figures).containsEntry("widgets that are not as they should be", "0")
			.containsEntry("changed widgets without a call that saw it", "0")
			.containsEntry("first start: writes", "40")
			.containsEntry("restart: writes", "20");
	}

	@Test
	void javaOperatorSdk_leavesNoWidgetUnfinishedAtItsStart() throws Exception {
		assertThat(figures("fabric8")).containsEntry("widgets that are not as they should be", "0")
			.containsEntry("first start: writes", "40")
			.containsEntry("restart: writes", "0");
	}

	private static Map<String, String> figures(String client) throws Exception {
		return new ControllerTable(RunOptions.of(List.of("--pods=20", "--updates=200", "--seconds=1"))).measure(client);
	}

}
