/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import dev.informer.fault.journal.ObjectStates;

/**
 * Client whose handlers write a journal.
 */
interface JournalClient {

	/**
	 * Return the content of the cache.
	 */
	ObjectStates cache();

	/**
	 * Return the port of the endpoints that an operator would use.
	 * @return the port, 0 if there are none
	 */
	default int managementPort() {
		return 0;
	}

	/**
	 * Let the next invocations of a handler throw an OutOfMemoryError.
	 * @param count the number of invocations
	 */
	default void throwErrors(int count) {
		throw new UnsupportedOperationException("Only the informer retries handlers");
	}

}
