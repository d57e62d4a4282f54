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
	 * What a client has to be told in order to get in.
	 */
	List<String> credentials();

	/**
	 * Makes everything as it was.
	 * @param settings what there is to be
	 */
	void reset(String settings) throws IOException;

	@Override
	void close() throws IOException;

}
