/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.cluster.RealKubernetes;

/**
 * Contract tests of the real kube-apiserver without streaming lists.
 */
@RealKubernetes(apiServerFlags = "feature-gates=WatchList=false")
class RealContractWithoutStreamingListsTests extends RealContract {

	RealContractWithoutStreamingListsTests() {
		super(false, true);
	}

}
