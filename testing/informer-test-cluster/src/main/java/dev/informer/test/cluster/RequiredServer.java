/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

/**
 * Requirement of a test on the real API server.
 */
public enum RequiredServer {

	/**
	 * Any real API server: a {@link ControlPlane}, or k3s in a container.
	 */
	ANY,

	/**
	 * A {@link ControlPlane}, which can be killed, frozen and started again.
	 */
	CONTROL_PLANE,

	/**
	 * A {@link ControlPlane} with controllers, scheduler and nodes, so that Deployments
	 * roll out and pods run.
	 */
	LIVING_CLUSTER,

	/**
	 * A Testcontainers {@code K3sContainer}.
	 */
	K3S_CONTAINER

}
