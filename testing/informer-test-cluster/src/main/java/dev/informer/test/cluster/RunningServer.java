/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.net.URI;
import java.util.Optional;

/**
 * Server and the action that stops it.
 *
 * @param server the server
 * @param end ends it
 */
record RunningServer(RealServer server, Runnable end) implements AutoCloseable {

	static RunningServer of(ControlPlane controlPlane) {
		return new RunningServer(new RealServer(controlPlane.url(), controlPlane.version(), controlPlane.kubeconfig(),
				Optional.of(controlPlane)), controlPlane::close);
	}

	static RunningServer of(URI url, String version, String kubeconfig, Runnable end) {
		return new RunningServer(new RealServer(url, version, kubeconfig, Optional.empty()), end);
	}

	@Override
	public void close() {
		this.end.run();
	}

}
