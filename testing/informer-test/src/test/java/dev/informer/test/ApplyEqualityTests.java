/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.ArrayList;
import java.util.List;

import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that random writes lead to the same objects, owners and conflicts on the embedded
 * server and on the real kube-apiserver. System properties: {@code apply.sequences}, the
 * number of sequences, and {@code apply.seed}, the first seed.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
class ApplyEqualityTests {

	private static final long SEQUENCES = Long.getLong("apply.sequences", 60);

	private static final String NAMESPACE = "apply-equality";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.garbageCollection(false));

	@Test
	void randomWrites_haveTheSameResults(RealServer server) {
		ControlPlane controlPlane = server.requireControlPlane();
		TestClient real = TestClient.of(controlPlane, controlPlane.adminToken());
		TestClient embedded = new TestClient(this.kubernetes);
		prepare(real);
		prepare(embedded);
		long first = Long.getLong("apply.seed", System.nanoTime() % 1_000_000_000);
		List<String> failures = new ArrayList<>();
		for (long seed = first; seed < first + SEQUENCES && failures.size() < 3; seed++) {
			try {
				new ApplySequence(seed, NAMESPACE).run(real, embedded);
			}
			catch (AssertionError ex) {
				failures.add("-Dapply.sequences=1 -Dapply.seed=" + seed + "\n" + ex.getMessage());
			}
		}
		assertThat(failures).isEmpty();
	}

	private static void prepare(TestClient client) {
		assertThat(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + NAMESPACE + "\"}}").code())
			.isEqualTo(201);
		assertThat(client.post(CustomResourceContract.DEFINITIONS, ApplySample.WIDGETS).code()).isEqualTo(201);
		awaitExternal().until(() -> client.get(ApplySample.WIDGET.path(NAMESPACE)).code() == 200);
	}

}
