/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.net.URI;
import java.util.Optional;

/**
 * A running real API server, as a test gets it through {@link RealKubernetes}.
 *
 * @param url where it listens
 * @param version its version, for instance {@code v1.36.3}; of k3s the image's tag
 * @param kubeconfig the text of a kubeconfig for a user who may do everything
 * @param controlPlane the server's processes, empty when it runs in a container
 */
public record RealServer(URI url, String version, String kubeconfig, Optional<ControlPlane> controlPlane) {

	/**
	 * Returns the server's processes.
	 * @return the control plane
	 * @throws IllegalStateException when the server runs in a container; a test that
	 * needs more says so with {@link RequiredServer}
	 */
	public ControlPlane requireControlPlane() {
		return this.controlPlane.orElseThrow(() -> new IllegalStateException(
				"This server is not a control plane; annotate the test with @RealKubernetes(RequiredServer.CONTROL_PLANE)"));
	}

	@Override
	public String toString() {
		return "RealServer[%s, %s]".formatted(this.url, this.version);
	}

}
