/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;

@RealKubernetes(RequiredServer.CONTROL_PLANE)
class RealOperatorResourcesTests extends OperatorResourcesTests {

	private final RealServer server;

	RealOperatorResourcesTests(RealServer server) {
		this.server = server;
	}

	@Override
	String kubeconfig() {
		return this.server.kubeconfig();
	}

}
