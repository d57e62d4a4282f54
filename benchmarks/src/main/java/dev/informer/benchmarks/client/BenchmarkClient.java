/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.Map;

/**
 * Client that watches the pods of a server, and reports received events to a
 * {@link Tally}.
 */
public interface BenchmarkClient extends AutoCloseable {

	/**
	 * Make the first request of the process, a small one, as an application does long
	 * before its informers have to sync.
	 * @throws Exception if the request fails
	 */
	void warmUp() throws Exception;

	/**
	 * Start to follow the server. May return before the client has synced.
	 * @throws Exception if the client cannot be started
	 */
	void start() throws Exception;

	/**
	 * Return whether the client reports that it has synced.
	 * @return whether it has synced
	 */
	boolean hasSynced();

	/**
	 * Return the resource versions of the objects in the cache of the client.
	 * @return the resource versions by {@code namespace/name}
	 */
	Map<String, String> resourceVersions();

	/**
	 * Return the encoding of the last response of the server.
	 * @return {@code json} or {@code protobuf}
	 */
	default String encoding() {
		return "json";
	}

	@Override
	void close() throws Exception;

}
