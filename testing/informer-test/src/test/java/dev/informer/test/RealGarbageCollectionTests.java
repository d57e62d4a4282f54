/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import org.junit.jupiter.api.BeforeAll;

/**
 * Contract tests of the garbage collector of kube-controller-manager.
 */
@RealKubernetes(RequiredServer.LIVING_CLUSTER)
class RealGarbageCollectionTests extends GarbageCollectionContract {

	@SuppressWarnings("NullAway.Init")
	private TestClient client;

	@BeforeAll
	void use(RealServer server) {
		ControlPlane controlPlane = server.requireControlPlane();
		this.client = TestClient.of(controlPlane, controlPlane.adminToken());
	}

	@Override
	TestClient client() {
		return this.client;
	}

}
