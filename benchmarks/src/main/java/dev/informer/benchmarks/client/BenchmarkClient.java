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
	 * Makes the first request of the process, a small one, as an application does long
	 * before its informers have to be complete.
	 * @throws Exception when that fails
	 */
	void warmUp() throws Exception;

	/**
	 * Begins to follow the server. Need not return before everything is there.
	 * @throws Exception when that fails
	 */
	void start() throws Exception;

	/**
	 * Whether the client says that it has everything.
	 * @return whether it has synced
	 */
	boolean hasSynced();

	/**
	 * What the client has.
	 * @return the resource versions by {@code namespace/name}
	 */
	Map<String, String> resourceVersions();

	@Override
	void close() throws Exception;

}
