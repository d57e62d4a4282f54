/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.net.URI;
import java.util.Optional;

/**
 * Running real API server, injected by {@link RealKubernetes}.
 *
 * @param url where it listens
 * @param version its version, for instance {@code v1.36.3}; of k3s the image's tag
 * @param kubeconfig the text of a kubeconfig for a user who may do everything
 * @param controlPlane the server's processes, empty when it runs in a container
 */
public record RealServer(URI url, String version, String kubeconfig, Optional<ControlPlane> controlPlane) {

	/**
	 * Return the control plane of the server.
	 * @return the control plane
	 * @throws IllegalStateException when the server runs in a container; a test that
	 * needs more says so with {@link RequiredServer}
	 */
	public ControlPlane requireControlPlane() {
		return this.controlPlane
			.orElseThrow(() -> new IllegalStateException("Cannot return the control plane: the server is a container. "
					+ "Annotate the test with @RealKubernetes(RequiredServer.CONTROL_PLANE)."));
	}

	@Override
	public String toString() {
		return "RealServer[%s, %s]".formatted(this.url, this.version);
	}

}
