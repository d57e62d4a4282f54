/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

/**
 * A server that the contract holds for, embedded or real.
 *
 * @param client a client that may do everything
 * @param tester a client that may do nothing
 * @param stranger a client whose token the server does not know
 * @param streamingLists whether the server serves streaming lists
 * @param watchCache whether the server has a watch cache
 * @param forgetHistory makes the server forget all changes until now; connections may
 * break
 */
record ContractServer(TestClient client, TestClient tester, TestClient stranger, boolean streamingLists,
		boolean watchCache, Runnable forgetHistory) {
}
