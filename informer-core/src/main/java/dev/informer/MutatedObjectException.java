/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * An object of the local copy was changed, though all handlers and readers share it.
 */
public class MutatedObjectException extends IllegalStateException {

	/**
	 * Creates an exception.
	 * @param message which object was changed, and what is known of by whom
	 */
	public MutatedObjectException(String message) {
		super(message);
	}

}
