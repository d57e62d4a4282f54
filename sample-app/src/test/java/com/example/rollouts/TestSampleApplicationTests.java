/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(TestSampleApplication.BusyShop.class)
@ExtendWith(OutputCaptureExtension.class)
class TestSampleApplicationTests {

	@Autowired
	private Pods pods;

	@Test
	void busyShop_schedulesPodsAndFinishesRollouts(CapturedOutput output) {
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains("embedded Kubernetes API server"))
			.hasSize(1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(List.of("node-1", "node-2", "node-3"))
				.anySatisfy((node) -> assertThat(this.pods.onNode(node))
					.anyMatch((pod) -> pod.state() == PodSummary.State.READY)));
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(output.getOut())
				.containsPattern("\\d/\\d updated, \\d available, \\d outdated: in progress")
				.contains("available: finished", "Settings shop/settings have the keys"));
	}

}
