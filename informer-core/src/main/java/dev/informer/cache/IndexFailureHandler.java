/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

/**
 * Callback for an index function that throws. The object is stored, but not under that
 * index.
 */
@FunctionalInterface
public interface IndexFailureHandler {

	/**
	 * Handle the failure of an index function.
	 * @param index the name of the index
	 * @param key the key of the object
	 * @param failure the exception or error
	 */
	void indexFailed(String index, String key, Throwable failure);

}
