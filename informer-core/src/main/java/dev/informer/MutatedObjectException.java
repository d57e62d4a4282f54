/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Thrown or published when an object of the cache was modified.
 */
public class MutatedObjectException extends IllegalStateException {

	/**
	 * Create an exception.
	 * @param message the modified object, and who can have modified it
	 */
	public MutatedObjectException(String message) {
		super(message);
	}

}
