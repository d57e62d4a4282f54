/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/**
 * What the clients connect to.
 */
interface BenchServer extends AutoCloseable {

	URI address();

	/**
	 * Address and credentials for a client.
	 */
	List<String> credentials();

	/**
	 * Makes everything as it was.
	 * @param settings the objects to serve
	 */
	void reset(String settings) throws IOException;

	@Override
	void close() throws IOException;

}
