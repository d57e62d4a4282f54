/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

/**
 * Server under test, embedded or real.
 *
 * @param client a client with all permissions
 * @param tester a client without permissions
 * @param stranger a client with an unknown token
 * @param streamingLists whether the server serves streaming lists
 * @param watchCache whether the server has a watch cache
 * @param compact discards all past changes of the server; may break connections
 */
record ContractServer(TestClient client, TestClient tester, TestClient stranger, boolean streamingLists,
		boolean watchCache, Runnable compact) {
}
