/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.payments;

import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class PaymentsPodsMethodTests {

	private final PaymentsPods handler = new PaymentsPods();

	@Test
	void filter_matchesPodsOfPayments() {
		assertThat(this.handler.ofPayments()).accepts(pod("payments", "Running"))
			.rejects(pod("billing", "Running"), new V1Pod().metadata(new V1ObjectMeta()));
	}

	@Test
	void changedPhase_isLogged(CapturedOutput output) {
		this.handler.statusChanged(pod("payments", "Pending"), pod("payments", "Running"));
		assertThat(output).contains("unit-1 went from Pending to Running");
	}

	@Test
	void samePhase_isNotLogged(CapturedOutput output) {
		this.handler.statusChanged(pod("payments", "Running"), pod("payments", "Running"));
		assertThat(output).doesNotContain("unit-1 went");
	}

	private static V1Pod pod(String team, String phase) {
		return new V1Pod().metadata(new V1ObjectMeta().name("unit-1").labels(Map.of("team", team)))
			.status(new V1PodStatus().phase(phase));
	}

}
