/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

/**
 * Is told when an index function throws. The object is stored all the same, and is not
 * under that index.
 */
@FunctionalInterface
public interface IndexFailureHandler {

	/**
	 * An index function has thrown.
	 * @param index the name of the index
	 * @param key the key of the object
	 * @param failure what was thrown
	 */
	void indexFailed(String index, String key, Throwable failure);

}
