/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;

/**
 * Contract tests of the real kube-apiserver, which verify the contract itself.
 */
@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
class RealContractTests extends RealContract {

	RealContractTests() {
		super(true, true);
	}

}
