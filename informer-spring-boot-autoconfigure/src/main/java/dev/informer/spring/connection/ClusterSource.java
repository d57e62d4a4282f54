/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A place where the connection to an API server may be described. Nothing is cached and
 * nothing is contacted.
 */
interface ClusterSource {

	/**
	 * Looks.
	 * @param lookedAt takes where was looked in vain, and why
	 * @return the cluster; {@code null} when there is none
	 */
	@Nullable Cluster find(List<String> lookedAt);

}
