/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.util.List;

/**
 * Thrown when no connection to a Kubernetes API server is configured.
 */
public class NoKubernetesClusterException extends IllegalStateException {

	private final List<String> locations;

	/**
	 * Create an exception.
	 * @param locations the checked locations, and the result of each
	 */
	public NoKubernetesClusterException(List<String> locations) {
		super("No Kubernetes cluster found: " + String.join("; ", locations));
		this.locations = List.copyOf(locations);
	}

	/**
	 * Return the checked locations.
	 * @return the locations, and the result of each
	 */
	public List<String> locations() {
		return this.locations;
	}

}
