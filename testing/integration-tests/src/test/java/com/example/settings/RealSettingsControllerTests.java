/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.settings;

import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;

@RealKubernetes(RequiredServer.LIVING_CLUSTER)
class RealSettingsControllerTests extends SettingsControllerTests {

	private final RealServer server;

	RealSettingsControllerTests(RealServer server) {
		this.server = server;
	}

	@Override
	String kubeconfig() {
		return this.server.kubeconfig();
	}

}
