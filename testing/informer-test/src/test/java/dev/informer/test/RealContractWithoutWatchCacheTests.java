/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.cluster.RealKubernetes;

/**
 * Contract tests of the real kube-apiserver without a watch cache.
 */
@RealKubernetes(apiServerFlags = "watch-cache=false")
class RealContractWithoutWatchCacheTests extends RealContract {

	RealContractWithoutWatchCacheTests() {
		super(true, false);
	}

}
