/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealServer;
import org.junit.jupiter.api.BeforeAll;

/**
 * {@link ServerContract} of a real kube-apiserver.
 */
abstract class RealContract extends ServerContract {

	private final boolean streamingLists;

	private final boolean watchCache;

	@SuppressWarnings("NullAway.Init")
	private ControlPlane controlPlane;

	@SuppressWarnings("NullAway.Init")
	private ContractServer server;

	RealContract(boolean streamingLists, boolean watchCache) {
		this.streamingLists = streamingLists;
		this.watchCache = watchCache;
	}

	@BeforeAll
	void use(RealServer real) {
		this.controlPlane = real.requireControlPlane();
		connect();
	}

	private void connect() {
		this.server = new ContractServer(client(this.controlPlane.adminToken()),
				client(this.controlPlane.token("tester")), client("unknown"), this.streamingLists, this.watchCache,
				this::compact);
	}

	/**
	 * Compact etcd, and restart the server to clear its watch cache.
	 */
	private void compact() {
		this.controlPlane.compactHistory();
		this.controlPlane.killApiServer();
		this.controlPlane.startApiServer();
		connect();
	}

	private TestClient client(String token) {
		return TestClient.of(this.controlPlane, token);
	}

	@Override
	public ContractServer server() {
		return this.server;
	}

}
