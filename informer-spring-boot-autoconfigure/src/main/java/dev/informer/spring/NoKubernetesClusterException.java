/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.util.List;

/**
 * Nothing says where the API server is.
 */
public class NoKubernetesClusterException extends IllegalStateException {

	private final List<String> lookedAt;

	/**
	 * Creates an exception.
	 * @param lookedAt where was looked, and what was found there
	 */
	public NoKubernetesClusterException(List<String> lookedAt) {
		super("No Kubernetes cluster to be found: " + String.join("; ", lookedAt));
		this.lookedAt = List.copyOf(lookedAt);
	}

	/**
	 * Where was looked.
	 * @return the places, and what was found there
	 */
	public List<String> lookedAt() {
		return this.lookedAt;
	}

}
