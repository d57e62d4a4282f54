/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/**
 * Server that the clients connect to.
 */
interface BenchServer extends AutoCloseable {

	URI address();

	/**
	 * Return the address and the credentials for a client.
	 */
	List<String> credentials();

	/**
	 * Restore the initial state.
	 * @param settings the objects to serve
	 */
	void reset(String settings) throws IOException;

	@Override
	void close() throws IOException;

}
