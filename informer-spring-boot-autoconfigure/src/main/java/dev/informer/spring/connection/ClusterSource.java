/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Location that may contain the configuration of a connection. Implementations cache
 * nothing and contact nothing.
 */
interface ClusterSource {

	/**
	 * Find the connection.
	 * @param locations the list that receives the checked locations without a connection,
	 * and the reasons
	 * @return the connection, or {@code null}
	 */
	@Nullable Cluster find(List<String> locations);

}
